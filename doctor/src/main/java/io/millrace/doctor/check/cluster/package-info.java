/** Cluster manager, nodes and versions. */
@NullMarked
package io.millrace.doctor.check.cluster;

import org.jspecify.annotations.NullMarked;
