package io.millrace.write;

import io.millrace.kernel.Feature;
import io.millrace.write.bulkrouting.BulkRoutingFeature;
import io.millrace.write.fastengine.FastEngineFeature;
import io.millrace.write.keywordtruncation.KeywordTruncationFeature;
import io.millrace.write.lateinversion.LateInversionFeature;
import io.millrace.write.lenientparsing.LenientParsingFeature;
import io.millrace.write.loganalyzer.LogAnalyzerFeature;
import io.millrace.write.logtext.LogTextFeature;
import io.millrace.write.mappingpremerge.MappingPremergeFeature;
import io.millrace.write.primarykeyfilter.PrimaryKeyFilterFeature;
import io.millrace.write.profiles.ProfilesFeature;
import io.millrace.write.templates.TemplatesFeature;
import java.util.List;

/** The features of this domain, in the order in which they are declared. */
public final class WriteDomain {
  private WriteDomain() {}

  /** New instances, one set per node. */
  public static List<Feature> features() {
    LenientParsingFeature lenientParsing = new LenientParsingFeature();
    return List.of(
        new FastEngineFeature(),
        new BulkRoutingFeature(),
        new KeywordTruncationFeature(lenientParsing.ignoredValues()),
        new LogAnalyzerFeature(),
        new LogTextFeature(),
        new LateInversionFeature(),
        new ProfilesFeature(),
        new TemplatesFeature(),
        new MappingPremergeFeature(),
        lenientParsing,
        new PrimaryKeyFilterFeature());
  }
}
