package io.millrace.doctor.check.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Index;
import io.millrace.doctor.snapshot.Json;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Doc values that nobody sorts or aggregates by are written for nothing. */
public final class DocValuesUnused extends Rule {
  public DocValuesUnused() {
    super(
        new About(
            "doc-values-unused",
            Area.MAPPING,
            "Doc values that nobody reads",
            "in an index that was searched, 10 fields or more have doc values that were never read; Elasticsearch 7.15 and newer count it",
            "Every value is written a second time as a column, which is only read to sort, to aggregate and in scripts.",
            "a field report on 400 fields per document: without doc values where no grouping is needed, writing is much cheaper",
            "less CPU and disk per document; such a field can no longer be sorted or aggregated"),
        Probe.FIELD_USAGE,
        Probe.MAPPINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Index index : snapshot.userIndices()) {
      Set<String> used = new TreeSet<>();
      boolean searched = false;
      for (JsonNode shard : snapshot.get(Probe.FIELD_USAGE).path(index.name()).path("shards")) {
        searched |= Json.number(shard, "stats.all_fields.any") > 0;
        shard
            .path("stats")
            .path("fields")
            .properties()
            .forEach(f -> {
              if (f.getValue().path("doc_values").asLong() > 0) {
                used.add(f.getKey());
              }
            });
      }
      List<String> unused =
          Fields.of(index).entrySet().stream()
              .filter(f ->
                  f.getValue()
                      .path("type")
                      .asText("")
                      .matches("keyword|long|integer|short|byte|double|float|ip|boolean"))
              .filter(f ->
                  f.getValue().path("doc_values").asBoolean(true) && !used.contains(f.getKey()))
              .map(Map.Entry::getKey)
              .toList();
      if (searched && unused.size() >= 10) {
        diagnosis
            .found(Severity.INFO, index.name())
            .seen(
                "GET /" + index.name() + "/_field_usage_stats",
                unused.size() + " fields never read by value, such as " + unused.getFirst());
      }
    }
    return diagnosis.saying(
        "Nobody reads most columns of " + diagnosis.names() + ".",
        Fix.advice(
            "Set doc_values: false for these fields in the template of the next index, after a week in which dashboards were used."));
  }
}
