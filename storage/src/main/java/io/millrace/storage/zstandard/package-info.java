/** Stored fields compressed with Zstandard: formats, codecs and the feature that registers them. */
@NullMarked
package io.millrace.storage.zstandard;

import org.jspecify.annotations.NullMarked;
