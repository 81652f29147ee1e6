package io.millrace.write.keywordtruncation;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.profile.LeftOut;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.write.lenientparsing.IgnoredValues;
import io.millrace.write.lenientparsing.LenientParsingFeature;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;

/**
 * Cuts keyword values that are too long for a term, so that the document is indexed.
 *
 * <p>Why: Lucene refuses a term of more than 32,766 bytes and stock then refuses the whole document
 * ("Document contains at least one immense term"): one over-long stack trace in a keyword field
 * loses a log line. {@code ignore_above} is stock's remedy, yet it has to be set per field
 * beforehand and drops the value from the index.
 *
 * <p>Sources: promise keyword-truncation.
 */
public final class KeywordTruncationFeature implements Feature {
  public static final String ID = "write.keyword-truncation";

  /** The index setting of promise keyword-truncation. */
  public static final Setting<Boolean> ENABLED =
      Checked.flag(
          "index.mapping.keyword.truncate",
          LenientParsingFeature.INDEX_ENABLED,
          Property.IndexScope,
          Property.Dynamic);

  private final Switch enabled = Feature.switchFor(ID, true);
  private final LongAdder truncated = new LongAdder();
  private final IgnoredValues ignoredValues;

  /**
   * @param ignoredValues where cut values are named, by field and source
   */
  public KeywordTruncationFeature(IgnoredValues ignoredValues) {
    this.ignoredValues = ignoredValues;
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "Keyword values over 32,766 bytes are cut to that length in the index, instead "
        + "of refused";
  }

  @Override
  public List<String> sources() {
    return List.of("keyword-truncation");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(
        new Knob<>(
            ENABLED,
            "`true` indexes the first 32,766 bytes (whole characters) of a longer keyword "
                + "value; `_source` and stored fields keep the whole value. `false` refuses such "
                + "a document, as stock does. The setting has no effect where `_source` is "
                + "derived from the index. Where it is not set, it is "
                + "that of `index.millrace.lenient_parsing.enabled`."));
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter(
            "values_truncated",
            "values",
            "Keyword values that were cut in the index, on every copy of a shard",
            truncated::sum));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.leftOutOfProfiles(
        LeftOut.ofWritten(
            ENABLED.getKey(),
            "not set, because it follows index.millrace.lenient_parsing.enabled, which a profile sets:"
                + " an over-long keyword is cut in the index and named in _ignored"));
    hooks.index(module -> new KeywordTruncator(enabled, truncated, ignoredValues).attach(module));
  }
}
