/** Large bodies are read by threads that serve no connection. */
@NullMarked
package io.millrace.guard.bodythreads;

import org.jspecify.annotations.NullMarked;
