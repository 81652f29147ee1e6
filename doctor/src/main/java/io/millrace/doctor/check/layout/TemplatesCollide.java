package io.millrace.doctor.check.layout;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Two old templates of one pattern and one order: which wins is chance. */
public final class TemplatesCollide extends Rule {
  public TemplatesCollide() {
    super(
        new About(
            "templates-collide",
            Area.LAYOUT,
            "Templates of one pattern set the same key differently",
            "two templates with a pattern and an order in common set one setting to two values",
            "Which one holds is not defined, so a new index may lose the setting that yesterday's had.",
            "OpenSearch documentation, Index templates: order and priority",
            "every new index has the settings that were meant"),
        Probe.TEMPLATES);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    Map<String, String> seen = new TreeMap<>();
    snapshot
        .get(Probe.TEMPLATES)
        .properties()
        .forEach(template -> {
          for (JsonNode pattern : template.getValue().path("index_patterns")) {
            template
                .getValue()
                .path("settings")
                .properties()
                .forEach(setting -> {
                  String place =
                      pattern.asText()
                          + " "
                          + template.getValue().path("order").asInt()
                          + " "
                          + setting.getKey();
                  String value = setting.getValue().asText();
                  String other = seen.putIfAbsent(place, value);
                  if (other != null && !other.equals(value)) {
                    diagnosis
                        .found(Severity.WARN, template.getKey())
                        .seen(
                            Probe.TEMPLATES.shown()
                                + ": "
                                + pattern.asText()
                                + " "
                                + setting.getKey(),
                            other + " and " + value)
                        .weigh(30);
                  }
                });
          }
        });
    return diagnosis.saying(
        "Templates collide: " + diagnosis.names() + ".",
        Fix.advice("Give one of them a higher order, or remove the key from one."));
  }
}
