package io.millrace.write.lenientparsing;

import io.millrace.kernel.FeaturePlugin;
import io.millrace.write.keywordtruncation.KeywordTruncationFeature;
import java.util.List;

/** Hosts the feature in a test node and lets the test read what it counts. */
public final class LenientParsingHost extends FeaturePlugin {
  private final LenientParsingFeature feature;

  public LenientParsingHost() {
    this(new LenientParsingFeature());
  }

  private LenientParsingHost(LenientParsingFeature feature) {
    super(List.of(new KeywordTruncationFeature(feature.ignoredValues()), feature));
    this.feature = feature;
  }

  LenientParsingFeature feature() {
    return feature;
  }
}
