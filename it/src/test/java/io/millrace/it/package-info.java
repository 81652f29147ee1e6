/** What only real nodes can show: clusters, the launcher, compatibility and clients. */
@NullMarked
package io.millrace.it;

import org.jspecify.annotations.NullMarked;
