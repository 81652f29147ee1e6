package io.millrace.doctor.tune;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.snapshot.Index;
import io.millrace.doctor.snapshot.PathNames;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.tune.Tuning.When;
import io.millrace.doctor.unit.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares a cluster with what suits a use. Reads only. */
public final class Planner {
  /** What has to be read of a cluster beforehand. */
  public static final Set<Probe> READS =
      Set.of(
          Probe.ROOT,
          Probe.NODES,
          Probe.CLUSTER_SETTINGS,
          Probe.INDEX_SETTINGS,
          Probe.INDEX_STATS,
          Probe.SHARDS,
          Probe.TEMPLATES,
          Probe.INDEX_TEMPLATES);

  /** Names only: with one setting that each index has, and nothing of their shards. */
  private static final String CLOSED =
      "/_all/_settings/index.uuid?expand_wildcards=closed&ignore_unavailable=true&allow_no_indices=true";

  private static final int MOST_NAMED = 5;
  private static final List<String> BLOCKS =
      List.of(
          "index.blocks.read_only", "index.blocks.read_only_allow_delete", "index.blocks.metadata");

  private final Snapshot snapshot;
  private final Use use;
  private final List<Tuning> tunings;
  private final List<String> notes = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();

  private Planner(Snapshot snapshot, Use use) {
    this.snapshot = snapshot;
    this.use = use;
    this.tunings = Tunings.of(use, snapshot);
  }

  /**
   * The whole diff.
   *
   * @param patterns names of indices with {@code *}; empty for those whose name says what they are
   *     for
   * @param closing whether settings that need a closed index are part of it
   * @param get answers a {@code GET}; a missing node where there is nothing
   * @throws ExpectedFailure when nothing matches, or the cluster does not let us see what is needed
   */
  public static TunePlan plan(
      Snapshot snapshot,
      Use use,
      List<String> patterns,
      boolean closing,
      Function<String, JsonNode> get) {
    for (Probe probe : List.of(Probe.NODES, Probe.INDEX_SETTINGS, Probe.SHARDS, Probe.TEMPLATES)) {
      if (snapshot.get(probe).isMissingNode()) {
        throw new ExpectedFailure(
            ExitCode.CLUSTER,
            "cannot tell what to change without " + probe.shown() + ": " + snapshot.missing(probe),
            "Nothing was changed.");
      }
    }
    Planner planner = new Planner(snapshot, use);
    List<String> names = planner.withoutAliases(patterns, get);
    List<Index> selected = planner.selected(names, planner.closedOnes(names, get));
    new TemplatePlanner(use, snapshot, planner.tunings, get)
        .plan(selected, planner.steps, planner.notes);
    List<Index> writable = planner.writable(selected);
    planner.open(writable);
    planner.closed(writable, closing);
    return new TunePlan(
        snapshot.get(Probe.ROOT).path("cluster_uuid").asText(""),
        use,
        planner.steps,
        planner.notes,
        selected.size());
  }

  /** Closed indices of these names, and none where the user may not see them. */
  private List<Index> closedOnes(List<String> patterns, Function<String, JsonNode> get) {
    JsonNode answer;
    try {
      answer = get.apply(CLOSED);
    } catch (ExpectedFailure e) {
      return List.of();
    }
    JsonNode none = MissingNode.getInstance();
    return answer.properties().stream()
        .map(entry -> new Index(entry.getKey(), Map.of(), none, none, none, List.of()))
        .filter(index -> !index.system())
        .filter(index -> patterns.isEmpty() ? use.claims(index) : named(patterns, index))
        .sorted(Comparator.comparing(Index::name))
        .toList();
  }

  private List<Index> selected(List<String> patterns, List<Index> closed) {
    List<Index> all = snapshot.userIndices();
    if (patterns.isEmpty() && use == Use.SEARCH) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "no name says that an index is for search",
          "Name them: --index 'shop-*,articles'");
    }
    List<Index> selected =
        all.stream()
            .filter(index -> patterns.isEmpty() ? use.claims(index) : named(patterns, index))
            .toList();
    if (selected.isEmpty() && !patterns.isEmpty()) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "no open index matches --index " + String.join(",", patterns),
          (closed.isEmpty() ? "" : "Closed: " + listed(closed) + ", to be opened first. ")
              + (all.isEmpty()
                  ? "There is none"
                  : "There are "
                      + all.size()
                      + ": "
                      + String.join(", ", all.stream().map(Index::name).limit(8).toList())
                      + (all.size() > 8 ? ", ..." : ""))
              + ". Indices of the server, with a dot in front, are left alone.");
    }
    if (!closed.isEmpty()) {
      notes.add("closed, so their settings stay: " + listed(closed));
    }
    for (String pattern : patterns) {
      List<String> one = List.of(pattern);
      if (Stream.concat(selected.stream(), closed.stream()).noneMatch(i -> named(one, i))) {
        notes.add("nothing is called " + pattern);
      }
    }
    if (selected.isEmpty()) {
      notes.add(
          all.isEmpty()
              ? "there is no open index yet"
              : "of "
                  + Units.counted(all.size(), "index", "indices")
                  + ", none says by its name that it holds "
                  + use.text()
                  + "; name them with --index");
    }
    return selected;
  }

  private static String listed(List<Index> indices) {
    return indices.stream().limit(MOST_NAMED).map(Index::name).collect(Collectors.joining(", "))
        + (indices.size() > MOST_NAMED ? " and " + (indices.size() - MOST_NAMED) + " others" : "");
  }

  /** By its own name, or by that of the data stream that it stands behind. */
  private static boolean named(List<String> patterns, Index index) {
    String stream = index.stream();
    return Globs.any(patterns, index.name()) || (stream != null && Globs.any(patterns, stream));
  }

  /** An alias stands for the indices behind it. */
  private List<String> withoutAliases(List<String> patterns, Function<String, JsonNode> get) {
    List<String> resolved = new ArrayList<>();
    for (String pattern : patterns) {
      List<String> one = List.of(pattern);
      JsonNode behind =
          snapshot.userIndices().stream().anyMatch(index -> named(one, index))
              ? MissingNode.getInstance()
              : get.apply("/_alias/" + PathNames.encoded(pattern));
      List<String> names = behind.properties().stream().map(Map.Entry::getKey).toList();
      if (names.isEmpty()) {
        resolved.add(pattern);
      } else {
        notes.add(pattern + " is an alias of " + String.join(", ", names));
        resolved.addAll(names);
      }
    }
    return resolved;
  }

  /** A block refuses every change of settings, and would end the plan in its middle. */
  private List<Index> writable(List<Index> selected) {
    Map<String, List<Index>> blocked = new LinkedHashMap<>();
    List<Index> writable = new ArrayList<>();
    for (Index index : selected) {
      BLOCKS.stream()
          .filter(block -> "true".equals(index.setting(block)))
          .findFirst()
          .ifPresentOrElse(
              block -> blocked.computeIfAbsent(block, b -> new ArrayList<>()).add(index),
              () -> writable.add(index));
    }
    blocked.forEach((block, names) ->
        notes.add(listed(names) + " keep their settings: " + block + " forbids to change them"));
    return writable;
  }

  private void open(List<Index> selected) {
    Map<List<SettingDiff>, List<String>> groups = new LinkedHashMap<>();
    for (Index index : selected) {
      List<SettingDiff> changes = changes(index, When.OPEN);
      if (!changes.isEmpty()) {
        groups.computeIfAbsent(changes, same -> new ArrayList<>()).add(index.name());
      }
    }
    groups.forEach(
        (changes, names) -> steps.add(new Step(Step.Kind.INDICES, names, changes, null, null)));
  }

  /**
   * Indices of a day or of a rollover are not closed: what they hold keeps its codec, and the next
   * one has it from its template.
   */
  private void closed(List<Index> selected, boolean closing) {
    int without = 0;
    for (Index index : selected) {
      List<SettingDiff> changes =
          index.dated() || index.rolled() ? List.of() : changes(index, When.CLOSED);
      if (changes.isEmpty()) {
        continue;
      }
      String keys = String.join(", ", changes.stream().map(SettingDiff::key).toList());
      if (!closing) {
        without++;
      } else if ("false".equals(snapshot.clusterSetting("cluster.indices.close.enable"))) {
        notes.add(
            index.name() + " keeps " + keys + ": cluster.indices.close.enable forbids to close it");
      } else if (index.shards().isEmpty()
          || index.shards().stream()
              .anyMatch(shard ->
                  !shard.state().equals("STARTED")
                      && (shard.primary() || !shard.state().equals("UNASSIGNED")))) {
        notes.add(
            index.name()
                + " keeps "
                + keys
                + ": it is not closed while shards of it are missing or on their way");
      } else {
        steps.add(new Step(Step.Kind.CLOSED_INDEX, List.of(index.name()), changes, null, null));
      }
    }
    if (without > 0) {
      notes.add(without + " indices keep settings that need a closed index");
    }
  }

  private List<SettingDiff> changes(Index index, When when) {
    List<SettingDiff> changes = new ArrayList<>();
    for (Tuning tuning : tunings) {
      String now = index.setting(tuning.key());
      if (tuning.when() == when
          && !tuning.fits().test(now)
          && !Tunings.saidByProfile(tuning, use, index.setting(Tunings.PROFILE))) {
        changes.add(SettingDiff.of(tuning, now));
      }
    }
    return changes;
  }
}
