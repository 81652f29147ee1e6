/** Which of a node's data paths a new shard is put on. */
@NullMarked
package io.millrace.storage.multidisk;

import org.jspecify.annotations.NullMarked;
