/**
 * How every page of this domain asks all nodes: one report for each node, rendered side by side.
 */
@NullMarked
package io.millrace.observe.nodes;

import org.jspecify.annotations.NullMarked;
