package io.millrace.pipelines.sourcecontrol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentType;

class SourceControlTest {
  private final DocumentScan scan =
      new DocumentScan(List.of("service.name", "app"), List.of("level", "log.level"));

  private DocumentScan.Found scan(String json) {
    return scan.scan(new IndexRequest("i").source(json, XContentType.JSON));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'service':{'name':'shop'},'level':'WARN'}|shop|WARN_AND_ABOVE",
        "{'app':'a','x':{'level':'debug'},'service.name':'b','log':{'level':'debug'}}|b|DEBUG",
        "{'app':'a','list':[{'app':'c'}],'level':5}|a|NONE",
        "{'service':'text','level':'information'}|''|INFO",
        "{'app':{'deep':1}}|''|NONE",
        "[]|''|NONE",
        "{'app':'cut|''|NONE"
      })
  void serviceAndLevelAreReadByTheirRank(String json, String service, SeverityStep level) {
    assertEquals(new DocumentScan.Found(service, level), scan(json.replace('\'', '"')));
  }

  @Test
  void aNameThatIsTooLongIsCut() {
    assertEquals(200, scan("{\"app\":\"" + "x".repeat(5_000) + "\"}").service().length());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "logs-*",
        "day=1gb",
        "logs-* day=0b",
        "logs-* day=much",
        "logs-* day=1gb then=delete",
        "logs-* day=1gb for=ever",
        "logs-* day"
      })
  void whatIsNoBudgetIsRefusedWithItsPart(String line) {
    String said =
        assertThrows(IllegalArgumentException.class, () -> Budget.parse(line)).getMessage();
    assertTrue(
        said.startsWith("[") && said.endsWith("as in [logs-* service=shop* day=10gb then=sample]"),
        said);
    assertTrue(line.contains(said.substring(1, said.indexOf("]: "))), said);
  }

  @Test
  void debugGoesFirstAndWarningsStayWhereLinesAreSampled() {
    Random random = new Random(1);
    Budget drop = Budget.parse("logs-* service=s* day=1000b then=drop");
    assertTrue(
        of(drop, "logs-a", "shop", "")
            && !of(drop, "logs-a", "x", "")
            && !of(drop, "a", "shop", ""));
    assertTrue(drop.admits(799, SeverityStep.DEBUG, random));
    assertFalse(drop.admits(800, SeverityStep.DEBUG, random));
    assertTrue(drop.admits(999, SeverityStep.INFO, random));
    assertFalse(drop.admits(1000, SeverityStep.WARN_AND_ABOVE, random));
    Budget sample = Budget.parse("logs-* day=1000b then=sample");
    assertTrue(sample.admits(999, SeverityStep.DEBUG, random));
    assertFalse(sample.admits(1000, SeverityStep.DEBUG, random));
    assertTrue(sample.admits(9999, SeverityStep.WARN_AND_ABOVE, random));
    int kept = 0;
    for (int i = 0; i < 10_000; i++) {
      kept += sample.admits(1000, SeverityStep.INFO, random) ? 1 : 0;
    }
    assertTrue(kept > 800 && kept < 1_200, "one of ten: " + kept);
    assertTrue(Budget.parse("logs-* day=1b").admits(5, SeverityStep.DEBUG, random));
  }

  @Test
  void aBudgetOfASenderIsOfItsLinesOnly() {
    Budget key = Budget.parse("logs-* sender=k:shipper* day=1kb");
    assertTrue(of(key, "logs-a", "any", "k:shipper-7"));
    assertFalse(of(key, "logs-a", "any", "u:shipper-7"));
    assertFalse(of(key, "logs-a", "any", ""), "nobody is recognized");
    assertTrue(of(Budget.parse("logs-* day=1kb"), "logs-a", "any", "u:alice"));
  }

  private static boolean of(Budget budget, String index, String service, String sender) {
    return budget.of(new SourceLedger.Source(index, service, sender));
  }

  private static SourceTally tally(long bytes) {
    SourceTally tally = new SourceTally();
    tally.add(bytes, SeverityStep.INFO, 1, false);
    return tally;
  }

  @Test
  void theLargestSourcesAreKeptHoweverManyThereAre() {
    SourceLedger ledger = new SourceLedger(() -> 0);
    for (int i = 0; i < 20_000; i++) {
      ledger.add(tally(10), Map.of(new SourceLedger.Source("i", "small-" + i, ""), tally(10)));
      if (i % 10 == 0) {
        ledger.add(tally(500), Map.of(new SourceLedger.Source("i", "large", ""), tally(500)));
      }
    }
    Map<String, Object> today = ledger.report().get(0);
    assertEquals(20_000L * 10 + 2_000L * 500, today.get("bytes"));
    List<?> top = (List<?>) today.get("top");
    assertEquals(20, top.size());
    Map<?, ?> first = (Map<?, ?>) top.get(0);
    assertEquals("large", first.get("service"));
    assertEquals(1_000_000L, first.get("bytes"));
    assertTrue(((Number) ((Map<?, ?>) top.get(1)).get("bytes_error")).longValue() > 0);
  }

  /** A month, day by day: seven days are kept, budgets begin anew, and the counts add up. */
  @Test
  void aSimulatedMonth() {
    AtomicLong clock = new AtomicLong();
    SourceLedger ledger = new SourceLedger(clock::get);
    Budget budget = Budget.parse("logs-* day=1kb then=drop");
    Random random = new Random(7);
    long sent = 0;
    long written = 0;
    long dropped = 0;
    for (int day = 0; day < 30; day++) {
      for (int line = 0; line < 20; line++) {
        sent++;
        boolean admitted = budget.admits(ledger.spent(budget), SeverityStep.INFO, random);
        ledger.spend(budget, 100, !admitted);
        written += admitted ? 1 : 0;
        dropped += admitted ? 0 : 1;
      }
      assertEquals(1, ledger.exceeded());
      Map<?, ?> spent = (Map<?, ?>) ((List<?>) ledger.report().get(0).get("budgets")).get(0);
      assertEquals(1_100L, spent.get("bytes"), "ten lines below 1024 bytes and one that crosses");
      assertEquals(9L, spent.get("dropped"));
      assertEquals(Math.min(day + 1, 7), ledger.report().size());
      clock.addAndGet(TimeValue.timeValueDays(1).millis());
    }
    assertEquals(sent, written + dropped);
    assertEquals(0, ledger.exceeded(), "a new day");
  }
}
