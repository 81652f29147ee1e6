package io.millrace.bench.scenario;

import io.millrace.bench.workload.Workload;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A comparison: the same documents into every side, in turn, in one run.
 *
 * @param name what {@code --scenario} takes
 * @param kind which subcommand runs it
 * @param title one line for the list and the report
 * @param workload the documents
 * @param sides two or more; the first is the one the others are compared with
 * @param goals what the figures are held against; may be empty
 * @param compareScores whether answers are compared with their scores (same shards, same analysis,
 *     no deleted documents)
 * @param forceMerge whether the index is merged to one segment before bytes are counted
 * @param liveHeap whether the heap that lives on is measured when quiet: forces full collections
 * @param measureSearches whether the query mix is timed, or only its answers compared
 * @param searchesPerSecond searches sent while loading: an index nobody searches skips its
 *     refreshes, so an index that is watched costs more
 * @param defaultDocs documents when {@code --docs} is not given
 * @param notes what a reader has to know to read the figures rightly
 */
public record Scenario(
    String name,
    Kind kind,
    String title,
    Workload workload,
    List<Side> sides,
    List<Goal> goals,
    boolean compareScores,
    boolean forceMerge,
    boolean liveHeap,
    boolean measureSearches,
    int searchesPerSecond,
    long defaultDocs,
    List<String> notes) {

  public Scenario {
    Set<String> labels = new HashSet<>();
    for (Side side : sides) {
      if (!labels.add(side.label())) {
        throw new IllegalArgumentException(name + " has two sides named " + side.label());
      }
    }
    if (sides.size() < 2) {
      throw new IllegalArgumentException(name + " compares nothing: it has one side");
    }
    for (Goal goal : goals) {
      for (String side : new String[] {goal.side(), goal.against(), goal.floor()}) {
        if (side != null && !labels.contains(side)) {
          throw new IllegalArgumentException(name + " has a goal on an unknown side: " + side);
        }
      }
    }
  }

  /** The side with this label. */
  public Side side(String label) {
    return sides.stream().filter(side -> side.label().equals(label)).findFirst().orElseThrow();
  }

  /** Collects the parts of a scenario. */
  public static Builder of(String name, Kind kind, String title, Workload workload) {
    return new Builder(name, kind, title, workload);
  }

  /** Collects the parts of a scenario; not reusable. */
  public static final class Builder {
    private final String name;
    private final Kind kind;
    private final String title;
    private final Workload workload;
    private List<Side> sides = List.of();
    private List<Goal> goals = List.of();
    private boolean compareScores = true;
    private boolean forceMerge;
    private boolean liveHeap;
    private boolean measureSearches;
    private int searchesPerSecond;
    private long docs = 1_000_000;
    private List<String> notes = List.of();

    private Builder(String name, Kind kind, String title, Workload workload) {
      this.name = name;
      this.kind = kind;
      this.title = title;
      this.workload = workload;
    }

    public Builder sides(Side... these) {
      sides = List.of(these);
      return this;
    }

    public Builder goals(Goal... these) {
      goals = List.of(these);
      return this;
    }

    /** Answers are compared without scores. */
    public Builder withoutScores() {
      compareScores = false;
      return this;
    }

    public Builder forceMerge() {
      forceMerge = true;
      return this;
    }

    /** Measures the heap that lives on once the load is quiet. */
    public Builder liveHeap() {
      liveHeap = true;
      return this;
    }

    public Builder measureSearches() {
      measureSearches = true;
      return this;
    }

    public Builder watched(int searches) {
      searchesPerSecond = searches;
      return this;
    }

    public Builder docs(long number) {
      docs = number;
      return this;
    }

    public Builder notes(String... these) {
      notes = List.of(these);
      return this;
    }

    public Scenario build() {
      return new Scenario(
          name,
          kind,
          title,
          workload,
          sides,
          goals,
          compareScores,
          forceMerge,
          liveHeap,
          measureSearches,
          searchesPerSecond,
          docs,
          notes);
    }
  }
}
