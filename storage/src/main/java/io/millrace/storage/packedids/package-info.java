/** Ids in lowercase hexadecimal, held in half their bytes in terms and doc values. */
@NullMarked
package io.millrace.storage.packedids;

import org.jspecify.annotations.NullMarked;
