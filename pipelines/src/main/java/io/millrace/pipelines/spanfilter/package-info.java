/**
 * Spans of middleware are taken out of SkyWalking's segments. To read first: {@link
 * io.millrace.pipelines.spanfilter.SegmentFilter}.
 */
@NullMarked
package io.millrace.pipelines.spanfilter;

import org.jspecify.annotations.NullMarked;
