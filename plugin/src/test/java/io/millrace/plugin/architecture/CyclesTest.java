package io.millrace.plugin.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class CyclesTest {
  private static List<String> cycles(String... edges) {
    Cycles graph = new Cycles();
    for (String edge : edges) {
      graph.edge(edge.substring(0, 1), edge.substring(1));
    }
    return graph.all();
  }

  @Test
  void aTreeHasNone() {
    assertEquals(List.of(), cycles("ab", "ac", "bd", "cd", "de"));
  }

  @Test
  void twoThatNeedEachOtherAreNamedOnce() {
    assertEquals(List.of("b -> c -> b"), cycles("ab", "bc", "cb"));
  }

  @Test
  void theShortestIsShown() {
    assertEquals(
        List.of("a -> b -> c -> a", "c -> d -> c"), cycles("ab", "bc", "ca", "cd", "dc", "ae"));
  }
}
