/** One node: what it is to be, its configuration, its process. */
@NullMarked
package io.millrace.launcher.node;

import org.jspecify.annotations.NullMarked;
