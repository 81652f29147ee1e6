/** Access control around the whole plugin, over the real HTTP server. */
@NullMarked
package io.millrace.plugin.access;

import org.jspecify.annotations.NullMarked;
