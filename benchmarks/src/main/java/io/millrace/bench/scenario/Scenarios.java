package io.millrace.bench.scenario;

import io.millrace.bench.term.BenchFailure;
import java.util.ArrayList;
import java.util.List;

/** The list of everything that can be run; a new scenario is added to the list of its kind. */
public final class Scenarios {
  private Scenarios() {}

  /** All scenarios in the order in which {@code bench list} shows them. */
  public static List<Scenario> all() {
    List<Scenario> all = new ArrayList<>(IngestScenarios.all());
    all.addAll(StorageScenarios.all());
    all.addAll(SearchScenarios.all());
    return all;
  }

  /** The scenarios of a kind. */
  public static List<Scenario> of(Kind kind) {
    return all().stream().filter(scenario -> scenario.kind() == kind).toList();
  }

  /** The scenario with this name. */
  public static Scenario named(String name) {
    return all().stream()
        .filter(scenario -> scenario.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new BenchFailure(
                "--scenario: unknown name '"
                    + name
                    + "'; known: "
                    + String.join(", ", all().stream().map(Scenario::name).toList())));
  }
}
