/** Aggregations over a sample of blocks of documents, with intervals. */
@NullMarked
package io.millrace.search.blocksampler;

import org.jspecify.annotations.NullMarked;
