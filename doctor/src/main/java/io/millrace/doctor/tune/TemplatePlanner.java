package io.millrace.doctor.tune;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.doctor.snapshot.Index;
import io.millrace.doctor.snapshot.Json;
import io.millrace.doctor.snapshot.PathNames;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the next index of a dated name is to have. The template that would make it is changed, as a
 * second one of a higher priority would take its mappings away; where none would make it, one of
 * our own comes. A template that the server or a plugin keeps is left alone, and so is one that
 * makes other indices as well.
 */
final class TemplatePlanner {
  /** Indices below it are served by one shard. */
  private static final long SMALL = 5L << 30;

  private final String own;
  private final Snapshot snapshot;
  private final List<Tuning> tunings;
  private final Function<String, JsonNode> get;
  private final Map<String, JsonNode> composable = new TreeMap<>();
  private final Map<String, JsonNode> legacy = new TreeMap<>();

  TemplatePlanner(
      Use use, Snapshot snapshot, List<Tuning> tunings, Function<String, JsonNode> get) {
    this.own = "millrace-tune-" + use.text();
    this.snapshot = snapshot;
    this.tunings = tunings.stream().filter(tuning -> tuning.value() != null).toList();
    this.get = get;
    snapshot
        .get(Probe.INDEX_TEMPLATES)
        .path("index_templates")
        .forEach(row -> composable.put(row.path("name").asText(), row.path("index_template")));
    snapshot.get(Probe.TEMPLATES).properties().forEach(e -> legacy.put(e.getKey(), e.getValue()));
  }

  /** The indices of one application: what the next one is called, and how it is made. */
  private record Family(String pattern, String next, List<Index> indices) {
    boolean small() {
      return indices.stream().allMatch(index -> index.bytes() < SMALL);
    }
  }

  void plan(List<Index> selected, List<Step> steps, List<String> notes) {
    Map<String, List<Family>> winners = new LinkedHashMap<>();
    List<Family> merged = new ArrayList<>();
    List<Family> without = new ArrayList<>();
    for (Family family : families(selected)) {
      String winner = winner(family.next());
      if (winner != null) {
        winners.computeIfAbsent(winner, name -> new ArrayList<>()).add(family);
      } else if (legacy.values().stream().anyMatch(t -> Globs.any(Globs.of(t), family.next()))) {
        merged.add(family);
      } else {
        without.add(family);
      }
    }
    winners.forEach((name, families) -> composed(name, families, selected, steps, notes));
    List<Family> lacking = new ArrayList<>();
    merged.forEach(family -> {
      if (legacy(family, selected, steps, notes)) {
        lacking.add(family);
      }
    });
    if (!lacking.isEmpty()) {
      steps.add(ownLegacy(lacking));
    }
    if (!without.isEmpty()) {
      boolean old = snapshot.get(Probe.INDEX_TEMPLATES).isMissingNode();
      steps.add(old ? ownLegacy(without) : ownTemplate(without));
    }
  }

  private static List<Family> families(List<Index> selected) {
    Map<String, List<Index>> groups = new TreeMap<>();
    for (Index index : selected) {
      if (index.dated() || index.rolled()) {
        groups.computeIfAbsent(pattern(index), name -> new ArrayList<>()).add(index);
      }
    }
    List<Family> families = new ArrayList<>();
    groups.forEach((pattern, indices) -> {
      String newest =
          indices.stream()
              .max(Comparator.comparingLong(Index::created).thenComparing(Index::name))
              .map(Index::name)
              .orElse(pattern);
      families.add(new Family(pattern, pattern.contains("*") ? newest : pattern, indices));
    });
    return families;
  }

  /** Of the indices behind a data stream its name, else the name with stars for dates. */
  private static String pattern(Index index) {
    String stream = index.stream();
    return stream == null ? index.family() : stream;
  }

  /** The template that alone makes an index of this name; null when it is made by older ones. */
  private @Nullable String winner(String name) {
    return composable.entrySet().stream()
        .filter(entry -> Globs.any(Globs.of(entry.getValue()), name))
        .max(Comparator.comparingLong(entry -> entry.getValue().path("priority").asLong(0)))
        .map(Map.Entry::getKey)
        .orElse(null);
  }

  private void composed(
      String name,
      List<Family> families,
      List<Index> selected,
      List<Step> steps,
      List<String> notes) {
    JsonNode before =
        get.apply(Step.Kind.TEMPLATE.path(PathNames.encoded(name)))
            .path("index_templates")
            .path(0)
            .path("index_template");
    if (left(name, before, selected, notes)) {
      return;
    }
    Map<String, String> now = new HashMap<>();
    for (JsonNode part : before.path("composed_of")) {
      now.putAll(
          FlatSettings.of(
              get.apply("/_component_template/" + PathNames.encoded(part.asText()))
                  .path("component_templates")
                  .path(0)
                  .path("component_template")
                  .path("template")
                  .path("settings")));
    }
    now.putAll(FlatSettings.of(before.path("template").path("settings")));
    List<SettingDiff> changes = changes(now, families);
    if (changes.isEmpty() || !(before.deepCopy() instanceof ObjectNode after)) {
      return;
    }
    ObjectNode settings = after.withObject("/template").withObject("/settings");
    changes.forEach(change -> FlatSettings.put(settings, change.key(), change.to()));
    steps.add(new Step(Step.Kind.TEMPLATE, List.of(name), changes, before, after));
  }

  /** Whether a template is not to be changed; says why. */
  private boolean left(String name, JsonNode template, List<Index> selected, List<String> notes) {
    JsonNode meta = template.path("_meta");
    if (name.startsWith(".") || meta.path("managed").asBoolean() || meta.has("managed_by")) {
      notes.add("template " + name + " is left alone: the server or a plugin keeps it");
      return true;
    }
    Set<String> known = selected.stream().map(Index::name).collect(Collectors.toSet());
    List<String> others =
        snapshot.userIndices().stream()
            .map(Index::name)
            .filter(index -> !known.contains(index) && Globs.any(Globs.of(template), index))
            .toList();
    if (!others.isEmpty()) {
      notes.add(
          "template "
              + name
              + " is left alone: it also makes "
              + others.getFirst()
              + (others.size() > 1 ? " and " + (others.size() - 1) + " more" : "")
              + ", which --index or --profile leaves out");
      return true;
    }
    return false;
  }

  /** Changes older templates that say otherwise; true when keys are missing in all of them. */
  private boolean legacy(
      Family family, List<Index> selected, List<Step> steps, List<String> notes) {
    Map<String, String> says = new HashMap<>();
    Map<String, String> now = new HashMap<>();
    legacy.entrySet().stream()
        .filter(entry -> Globs.any(Globs.of(entry.getValue()), family.next()))
        .sorted(Comparator.comparingInt(entry -> entry.getValue().path("order").asInt(0)))
        .forEach(entry ->
            FlatSettings.of(entry.getValue().path("settings"))
                .forEach((key, value) -> {
                  says.put(key, entry.getKey());
                  now.put(key, value);
                }));
    boolean lacking = false;
    Map<String, List<SettingDiff>> perTemplate = new TreeMap<>();
    for (SettingDiff change : changes(now, List.of(family))) {
      String template = says.get(change.key());
      if (template == null) {
        lacking = true;
      } else {
        perTemplate.computeIfAbsent(template, name -> new ArrayList<>()).add(change);
      }
    }
    perTemplate.forEach((name, changes) -> changed(name, changes, selected, steps, notes));
    return lacking;
  }

  private void changed(
      String name,
      List<SettingDiff> changes,
      List<Index> selected,
      List<Step> steps,
      List<String> notes) {
    boolean planned =
        steps.stream()
            .anyMatch(
                s -> s.kind() == Step.Kind.LEGACY_TEMPLATE && s.names().equals(List.of(name)));
    JsonNode before = get.apply(Step.Kind.LEGACY_TEMPLATE.path(PathNames.encoded(name))).path(name);
    if (planned || left(name, before, selected, notes)) {
      return;
    }
    if (before.deepCopy() instanceof ObjectNode after) {
      ObjectNode settings = after.withObject("/settings");
      changes.forEach(change -> FlatSettings.put(settings, change.key(), change.to()));
      steps.add(new Step(Step.Kind.LEGACY_TEMPLATE, List.of(name), changes, before, after));
    }
  }

  private List<SettingDiff> changes(Map<String, String> now, List<Family> families) {
    boolean small = families.stream().allMatch(Family::small);
    List<SettingDiff> changes = new ArrayList<>();
    for (Tuning tuning : tunings) {
      String value = now.get(tuning.key());
      boolean shards = tuning.key().equals("index.number_of_shards");
      if (!(shards && small) && !tuning.fits().test(value) && fresh(tuning, now)) {
        changes.add(SettingDiff.of(tuning, value));
      }
    }
    return changes;
  }

  /** With a profile of Millrace, what a template does not say comes from the profile. */
  private boolean fresh(Tuning tuning, Map<String, String> now) {
    boolean profile = tunings.stream().anyMatch(t -> t.key().equals(Tunings.PROFILE));
    return !profile || tuning.key().equals(Tunings.PROFILE) || now.containsKey(tuning.key());
  }

  /** One of our own for names that no template makes. */
  private Step ownTemplate(List<Family> families) {
    JsonNode before =
        composable.containsKey(own)
            ? get.apply(Step.Kind.TEMPLATE.path(own))
                .path("index_templates")
                .path(0)
                .path("index_template")
            : null;
    List<SettingDiff> changes = changes(Map.of(), families);
    ObjectNode after = before == null ? Json.MAPPER.createObjectNode() : before.deepCopy();
    patterns(after, families);
    if (before == null) {
      after.put("priority", freePriority());
    }
    ObjectNode settings = after.withObject("/template").withObject("/settings");
    changes.forEach(change -> FlatSettings.put(settings, change.key(), change.to()));
    return new Step(Step.Kind.TEMPLATE, List.of(own), changes, before, after);
  }

  /** Below the order of all others, so that whatever they say holds. */
  private Step ownLegacy(List<Family> families) {
    JsonNode before =
        legacy.containsKey(own) ? get.apply(Step.Kind.LEGACY_TEMPLATE.path(own)).path(own) : null;
    List<SettingDiff> changes = changes(Map.of(), families);
    ObjectNode after = before == null ? Json.MAPPER.createObjectNode() : before.deepCopy();
    patterns(after, families);
    if (before == null) {
      after.put(
          "order",
          Math.min(
              0,
              legacy.values().stream().mapToInt(t -> t.path("order").asInt(0)).min().orElse(1)
                  - 1));
    }
    ObjectNode settings = after.withObject("/settings");
    changes.forEach(change -> FlatSettings.put(settings, change.key(), change.to()));
    return new Step(Step.Kind.LEGACY_TEMPLATE, List.of(own), changes, before, after);
  }

  private static void patterns(ObjectNode template, List<Family> families) {
    List<String> patterns = Globs.of(template);
    families.stream()
        .map(Family::pattern)
        .filter(p -> !patterns.contains(p))
        .forEach(patterns::add);
    ArrayNode list = template.putArray("index_patterns");
    patterns.forEach(list::add);
  }

  /** Two templates of one priority must not overlap. */
  private long freePriority() {
    List<Long> taken = composable.values().stream().map(t -> t.path("priority").asLong(0)).toList();
    long priority = 1;
    while (taken.contains(priority)) {
      priority++;
    }
    return priority;
  }
}
