/** The launcher and the loader as their users run them. */
@NullMarked
package io.millrace.it.launch;

import org.jspecify.annotations.NullMarked;
