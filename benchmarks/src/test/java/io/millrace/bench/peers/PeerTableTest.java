package io.millrace.bench.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.bench.peers.PeerFigures.Found;
import io.millrace.bench.peers.PeerSearch.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PeerTableTest {
  private static Found found(long hits, Long... times) {
    return new Found(new PeerAnswer(List.of(times), new TreeMap<>()), hits);
  }

  private static PeerFigures figures(double cpu, double bytes, Found... words) {
    return new PeerFigures(
        "1.0",
        1000,
        cpu,
        1.5,
        2,
        bytes,
        4,
        512,
        Map.of(Kind.WORD, 1234.0),
        Map.of(Kind.WORD, List.of(words)));
  }

  private static PeerTable table() {
    Map<String, List<PeerFigures>> sides = new LinkedHashMap<>();
    sides.put(
        "stock",
        List.of(figures(30, 400, found(2, 9L, 8L)), figures(20, 400, found(2, 9L, 8L), found(7))));
    sides.put("peer", List.of(figures(10, 100.04, found(2, 9L, 7L), found(8, 5L))));
    return new PeerTable(sides);
  }

  @Test
  void sidesAreColumnsAndRoundsAreMedianLowestAndHighest() {
    List<String> lines = table().figures().lines().toList();
    assertEquals("|  | stock | peer |", lines.get(0));
    assertEquals("|---|---|---|", lines.get(1));
    assertEquals("| CPU per document, us | 25.0 (20.0 - 30.0) | 10.0 |", lines.get(2));
    assertTrue(
        lines.contains("| bytes per document, merged | 400.0 (400.0 - 400.0) | 100.0 |"),
        lines::toString);
    assertTrue(lines.contains("| documents per second | 250 (250 - 250) | 250 |"), lines::toString);
  }

  @Test
  void searchesAreInMillisecondsAndAKindThatWasNotAskedIsADash() {
    List<String> lines = table().figures().lines().toList();
    assertTrue(
        lines.contains(
            "| frequent word, newest 100: CPU per search, ms | 1.234 (1.234 - 1.234) | 1.234 |"),
        lines::toString);
    assertTrue(lines.contains("| id: CPU per search, ms | - | - |"), lines::toString);
  }

  @Test
  void answersOfTheLastRoundAreHeldAgainstTheFirstSide() {
    List<String> lines = table().answers().lines().toList();
    assertEquals("| searches | stock | peer |", lines.get(0));
    assertEquals(
        List.of("| frequent word, newest 100, 2 | 9; 2 and 2 equal | 10; 1 and 0 equal |"),
        lines.subList(2, lines.size()));
  }
}
