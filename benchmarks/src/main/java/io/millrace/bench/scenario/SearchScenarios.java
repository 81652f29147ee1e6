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
        .sides(uncached(Side.stock("stock")), uncached(Side.millrace("Millrace")))
        .goals(
            Goal.atMost(
                1.1, Measure.DEAREST_KIND, "Millrace", null, "no class of searches above 1.1 x"))
        .forceMerge()
        .measureSearches()
        .notes(
            "Both sides are merged to one segment, so that both read the same structure. The query"
                + " cache is off, so that a search that is asked again costs what it costs.")
        .build();
  }

  private static Side uncached(Side side) {
    return side.index("refresh_interval", "30s").index("queries.cache.enabled", "false");
  }
}
