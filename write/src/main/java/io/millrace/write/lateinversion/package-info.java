/**
 * The terms of log messages are gathered in the order of the documents and sorted when a segment is
 * flushed, instead of being looked up one by one in Lucene's hash.
 *
 * <p>{@code LateInversionFeature} is the way in. A document's value becomes a {@code LateValue},
 * which gives its terms as if they were a stored field; {@code LateCodec} takes them out of the
 * stored fields of a new segment, keeps them in {@code SegmentTerms}, and gives them to the
 * postings format of the segment as {@code SortedTerms}.
 */
@NullMarked
package io.millrace.write.lateinversion;

import org.jspecify.annotations.NullMarked;
