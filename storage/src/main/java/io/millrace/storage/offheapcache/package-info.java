/** Decoded blocks outside the heap: a cache with an exact bound in front of decompression. */
@NullMarked
package io.millrace.storage.offheapcache;

import org.jspecify.annotations.NullMarked;
