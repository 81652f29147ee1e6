package io.millrace.bench.scenario;

import io.millrace.bench.workload.Workloads;
import java.util.List;

/** What searching costs, and that it finds the same. */
final class SearchScenarios {
  private SearchScenarios() {}

  static List<Scenario> all() {
    return List.of(queryMix());
  }

  private static Scenario queryMix() {
    return Scenario.of(
            "query-mix",
            Kind.SEARCH,
            "A thousand different queries on equal settings: the same answers, and not slower",
            Workloads.logs())
        .sides(
            Side.stock("stock").index("refresh_interval", "30s"),
            Side.millrace("Millrace").index("refresh_interval", "30s"))
        .goals(
            Goal.atMost(
                1.05, Measure.CPU_PER_QUERY, "Millrace", "stock", "no search slower than 5 %"))
        .forceMerge()
        .measureSearches()
        .notes("Both sides are merged to one segment, so that both read the same structure.")
        .build();
  }
}
