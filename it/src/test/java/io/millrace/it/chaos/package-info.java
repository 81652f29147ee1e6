/** Faults on a real cluster while clients write and read, and the check of what they were told. */
@NullMarked
package io.millrace.it.chaos;

import org.jspecify.annotations.NullMarked;
