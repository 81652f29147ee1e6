/** Moves the role of the cluster manager to a chosen node: by a request, or by preference. */
@NullMarked
package io.millrace.cluster.managerhandover;

import org.jspecify.annotations.NullMarked;
