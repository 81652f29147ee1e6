/**
 * Documents that a mapping refuses are indexed without the values it refuses.
 *
 * <p>Reading order: {@link io.millrace.write.lenientparsing.LenientParsingFeature} (settings and
 * hooks), {@link io.millrace.write.lenientparsing.LenientParser} (when a document is parsed a
 * second time, on primaries, replicas and in recoveries), {@link
 * io.millrace.write.lenientparsing.Fitting} (which values a mapping takes), {@link
 * io.millrace.write.lenientparsing.LooseJson} (documents that OpenSearch's reader refuses), {@link
 * io.millrace.write.lenientparsing.IgnoredValues} (what was left out, per index, field and source).
 */
@NullMarked
package io.millrace.write.lenientparsing;

import org.jspecify.annotations.NullMarked;
