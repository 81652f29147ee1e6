/** What a client sees: features through HTTP against a node that runs the whole plugin. */
@NullMarked
package io.millrace.plugin.rest;

import org.jspecify.annotations.NullMarked;
