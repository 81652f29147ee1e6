/**
 * How every page of the product asks all nodes: a node reports on a subject as names and values,
 * one transport action carries every subject, and one REST base answers also while the heap is
 * full.
 */
@NullMarked
package io.millrace.kernel.report;

import org.jspecify.annotations.NullMarked;
