/** The nodes of one cluster on this machine: planned, started, recorded, found again. */
@NullMarked
package io.millrace.launcher.cluster;

import org.jspecify.annotations.NullMarked;
