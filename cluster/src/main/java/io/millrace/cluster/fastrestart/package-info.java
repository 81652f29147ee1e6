/** A node that is being restarted finds its copies waiting for it. */
@NullMarked
package io.millrace.cluster.fastrestart;

import org.jspecify.annotations.NullMarked;
