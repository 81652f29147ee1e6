/** Real nodes from the assembled trees, as clusters on loopback. */
@NullMarked
package io.millrace.testkit.cluster;

import org.jspecify.annotations.NullMarked;
