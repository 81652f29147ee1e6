/**
 * The parts of terms and postings that are the same for every field with {@code IndexOptions.DOCS}.
 */
@NullMarked
package io.millrace.kernel.postings;

import org.jspecify.annotations.NullMarked;
