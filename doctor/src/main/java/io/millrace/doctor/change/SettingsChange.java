package io.millrace.doctor.change;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.doctor.finding.Call;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.snapshot.Index;
import io.millrace.doctor.snapshot.Json;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Settings as requests, and the requests that bring back exactly what was: a value that was set is
 * set again, one that was not is removed with {@code null}, so that the default holds again.
 */
public final class SettingsChange {
  /** Names per request line, see {@code http.max_initial_line_length} (4 KB). */
  private static final int MOST_NAMES = 3_000;

  private SettingsChange() {}

  /**
   * Dynamic settings of indices.
   *
   * @param wanted keys in full; a value of null removes the key
   */
  public static Fix index(List<Index> indices, Map<String, @Nullable String> wanted) {
    return Fix.calls(put(indices, wanted), undo(indices, wanted.keySet()));
  }

  /** The requests that set them. */
  public static List<Call> put(List<Index> indices, Map<String, @Nullable String> wanted) {
    return calls(indices.stream().map(Index::name).toList(), wanted);
  }

  /** The requests that bring the present values back: one per group with the same values. */
  public static List<Call> undo(List<Index> indices, Set<String> keys) {
    Map<Map<String, @Nullable String>, List<String>> groups = new LinkedHashMap<>();
    for (Index index : indices) {
      Map<String, @Nullable String> now = new TreeMap<>();
      keys.forEach(key -> now.put(key, index.setting(key)));
      groups.computeIfAbsent(now, values -> new ArrayList<>()).add(index.name());
    }
    List<Call> calls = new ArrayList<>();
    groups.forEach((values, names) -> calls.addAll(calls(names, values)));
    return calls;
  }

  private static List<Call> calls(List<String> names, Map<String, @Nullable String> values) {
    String body = Json.object(new TreeMap<>(values));
    return targets(names).stream()
        .map(target -> new Call("PUT", "/" + target + "/_settings", body))
        .toList();
  }

  /** Names joined by commas, each text short enough for a request line. */
  public static List<String> targets(List<String> names) {
    List<String> targets = new ArrayList<>();
    StringBuilder target = new StringBuilder();
    for (String name : names) {
      if (!target.isEmpty() && target.length() + name.length() > MOST_NAMES) {
        targets.add(target.toString());
        target.setLength(0);
      }
      target.append(target.isEmpty() ? "" : ",").append(name);
    }
    if (!target.isEmpty()) {
      targets.add(target.toString());
    }
    return targets;
  }

  /** Persistent settings of the cluster. A transient value of the same key would win over them. */
  public static Fix cluster(Snapshot snapshot, Map<String, @Nullable String> wanted) {
    Map<String, @Nullable String> persistent = new TreeMap<>();
    Map<String, @Nullable String> transients = new TreeMap<>();
    JsonNode now = snapshot.get(Probe.CLUSTER_SETTINGS);
    for (String key : wanted.keySet()) {
      persistent.put(key, text(now.path("persistent").path(key)));
      if (now.path("transient").has(key)) {
        transients.put(key, text(now.path("transient").path(key)));
      }
    }
    Map<String, Object> put = new TreeMap<>(Map.of("persistent", new TreeMap<>(wanted)));
    Map<String, Object> back = new TreeMap<>(Map.of("persistent", persistent));
    if (!transients.isEmpty()) {
      Map<String, @Nullable String> cleared = new TreeMap<>();
      transients.keySet().forEach(key -> cleared.put(key, null));
      put.put("transient", cleared);
      back.put("transient", transients);
    }
    return Fix.calls(
        List.of(new Call("PUT", "/_cluster/settings", Json.object(put))),
        List.of(new Call("PUT", "/_cluster/settings", Json.object(back))));
  }

  private static @Nullable String text(JsonNode value) {
    return value.isMissingNode() || value.isNull() ? null : value.asText();
  }
}
