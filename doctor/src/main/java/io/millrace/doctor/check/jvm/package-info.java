/** Heap, collector, memory and processors of the nodes. */
@NullMarked
package io.millrace.doctor.check.jvm;

import org.jspecify.annotations.NullMarked;
