/** What is read of a cluster, within which bounds; how it is kept, shared and read again. */
@NullMarked
package io.millrace.doctor.snapshot;

import org.jspecify.annotations.NullMarked;
