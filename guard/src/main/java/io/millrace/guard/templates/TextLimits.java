package io.millrace.guard.templates;

import io.millrace.kernel.Feature;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import java.util.List;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.unit.ByteSizeValue;

/** The settings of {@code guard.template-limit}. */
final class TextLimits {
  private static final String PREFIX = Feature.prefix(TemplateLimitFeature.ID);

  /** With less, no template could write a word. */
  private static final ByteSizeValue LEAST = new ByteSizeValue(1_024);

  final Knob<ByteSizeValue> request =
      new Knob<>(
          Checked.memory(PREFIX + ".limit", "5%", LEAST, Property.NodeScope, Property.Dynamic),
          "How much memory the texts may take that the templates of one request write: bytes, or a"
              + " share of the heap. Each character counts for five bytes: the buffer that grows,"
              + " the text, and what is parsed from it.");
  final Knob<ByteSizeValue> together =
      new Knob<>(
          Checked.memory(PREFIX + ".together", "15%", LEAST, Property.NodeScope, Property.Dynamic),
          "The same for all requests of a node together.");
  final Knob<TimeValue> time =
      new Knob<>(
          Checked.time(
              PREFIX + ".time",
              TimeValue.timeValueSeconds(5),
              TimeValue.timeValueMillis(10),
              Property.NodeScope,
              Property.Dynamic),
          "How long the templates of one request may be at work. Three loops inside one another over"
              + " a list of 10,000 would write nothing for hours.");

  List<Knob<?>> knobs() {
    return List.of(request, together, time);
  }
}
