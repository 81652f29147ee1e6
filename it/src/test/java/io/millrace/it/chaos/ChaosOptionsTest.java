package io.millrace.it.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChaosOptionsTest {
  private static ChaosOptions with(Map<String, String> properties) {
    return ChaosOptions.of(properties::get);
  }

  private static void refused(String name, String value, String remedy) {
    Exception e =
        assertThrows(
            IllegalArgumentException.class, () -> with(Map.of(ChaosOptions.PREFIX + name, value)));
    assertTrue(
        e.getMessage().contains(ChaosOptions.PREFIX + name)
            && e.getMessage().contains("[" + value + "]")
            && e.getMessage().contains(remedy),
        e.getMessage());
  }

  @Test
  void nothingSetIsTheRunOfEveryBuild() {
    assertEquals(new ChaosOptions(20, 1, 3, "millrace", FaultKind.SHORT, false), with(Map.of()));
  }

  @Test
  void longRunsAndUpgradesHaveFaultsOfTheirOwn() {
    List<FaultKind> faults =
        with(Map.of("millrace.chaos.seconds", "300", "millrace.chaos.tree", "upgrade")).faults();
    assertTrue(faults.contains(FaultKind.ROLLING) && faults.contains(FaultKind.UPGRADE));
    assertEquals(
        List.of(FaultKind.KILL, FaultKind.ONE_WAY),
        with(Map.of("millrace.chaos.faults", "kill, one-way")).faults());
  }

  @Test
  void whatIsNamedAndWhatALongRunHasHasToComeAbout() {
    assertTrue(with(Map.of("millrace.chaos.seconds", "300")).every());
    assertTrue(with(Map.of("millrace.chaos.faults", "clock,clock")).every());
    assertEquals(
        List.of(FaultKind.CLOCK), with(Map.of("millrace.chaos.faults", "clock,clock")).faults());
  }

  @Test
  void whatCannotBeIsRefusedWithTheRemedy() {
    refused("nodes", "2", "from 3");
    refused("seconds", "0", "from 1");
    refused("seed", "x", "a whole number");
    refused("tree", "Stock", "[millrace, stock, upgrade]");
    refused("faults", "killl", "one-way");
    refused("faults", "", "one-way");
    refused("faults", "upgrade", "tree=upgrade");
  }
}
