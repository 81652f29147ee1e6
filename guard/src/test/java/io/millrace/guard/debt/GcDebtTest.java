package io.millrace.guard.debt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.guard.debt.Debt.Stage;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchScrollRequest;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.builder.SearchSourceBuilder;

class GcDebtTest {
  @TempDir private Path folder = Path.of("");

  private static final List<String> NAMES =
      List.of("full_above", "shed_after", "cancel_after", "leave_after");

  @Test
  void badInputNamesTheSetting() {
    GcDebtFeature feature = new GcDebtFeature();
    for (String name : NAMES) {
      String key = feature.prefix() + "." + name;
      Setting<?> setting =
          feature.knobs().stream()
              .filter(k -> k.setting().getKey().equals(key))
              .findFirst()
              .orElseThrow()
              .setting();
      for (String bad : List.of("soon", name.equals("full_above") ? "1.5" : "1ms")) {
        Settings settings = Settings.builder().put(key, bad).build();
        RuntimeException e = assertThrows(RuntimeException.class, () -> setting.get(settings));
        assertTrue(e.getMessage().contains(key), e.getMessage());
      }
    }
  }

  @Test
  void stagesFollowTheDebt() {
    Debt debt = new Debt();
    assertEquals(Stage.NONE, debt.stage(1000, 3000, 10_000));
    debt.look(1000, 1000, true);
    assertEquals(Stage.SHED, debt.stage(1000, 3000, 10_000));
    debt.look(2000, 2000, true);
    assertEquals(Stage.CANCEL, debt.stage(1000, 3000, 10_000));
    debt.look(7000, 7000, true);
    assertEquals(Stage.LEAVE, debt.stage(1000, 3000, 10_000));
  }

  @Test
  void oneLongCollectionThatFreesMemoryIsForgiven() {
    Debt debt = new Debt();
    debt.look(20_000, 20_000, false);
    assertEquals(0, debt.millis());
    debt.look(2000, 2000, true);
    debt.look(500, 0, false);
    assertEquals(1000, debt.millis());
    debt.look(1000, 0, false);
    assertEquals(0, debt.millis());
  }

  @Test
  void aDebtOfHoursIsPaidWithinAMinuteOnceTheHeapIsFree() {
    for (int hours : new int[] {0, 1, 24}) {
      Debt debt = new Debt();
      double owed = hours == 0 ? 10_000 : hours * 3_600_000.0;
      debt.look(owed, owed, true);
      int looks = 0;
      while (debt.stage(100, Long.MAX_VALUE, Long.MAX_VALUE) != Stage.NONE) {
        debt.look(500, 0, false);
        looks++;
      }
      assertTrue(looks <= (hours == 0 ? 10 : 120), hours + " h take " + looks + " looks");
    }
  }

  @Test
  void aFullHeapThatIsServedIsNoDebt() {
    Debt debt = new Debt();
    for (int i = 0; i < 100; i++) {
      debt.look(500, 100, true);
    }
    assertEquals(0, debt.millis());
  }

  @Test
  void heavyAndLight() {
    assertTrue(
        DebtFilter.heavy(
            new SearchRequest()
                .source(
                    new SearchSourceBuilder()
                        .aggregation(AggregationBuilders.terms("t").field("f")))));
    assertTrue(
        DebtFilter.heavy(new SearchRequest().source(new SearchSourceBuilder().size(10_000))));
    assertTrue(DebtFilter.heavy(new SearchScrollRequest("id")));
    assertFalse(DebtFilter.heavy(new SearchRequest().source(new SearchSourceBuilder())));
    assertFalse(DebtFilter.heavy(new SearchRequest()));
    BulkRequest small = new BulkRequest().add(new IndexRequest("i").source("a", "b"));
    assertFalse(DebtFilter.heavy(small));
    BulkRequest large =
        new BulkRequest().add(new IndexRequest("i").source("a", "b".repeat(200_000)));
    assertTrue(DebtFilter.heavy(large));
  }

  /** The process is gone at once and the reason is there. */
  @Test
  void leavingEndsTheProcessAndKeepsTheReason() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                Leaver.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(new File(folder.toFile(), "out"))
            .start();
    assertTrue(process.waitFor(300, TimeUnit.SECONDS));
    assertEquals(137, process.exitValue(), Files.readString(folder.resolve("out")));
    assertEquals("full\n", Files.readString(folder.resolve(ProcessEnd.FILE)));
  }

  /** Leaves with a full heap, without shutdown hooks. */
  static final class Leaver {
    private Leaver() {}

    public static void main(String[] args) throws Exception {
      ProcessEnd departure = ProcessEnd.prepare(Path.of(args[0]), "full\n");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
      java.util.List<byte[]> all = new java.util.ArrayList<>();
      try {
        while (true) {
          all.add(new byte[1 << 16]);
        }
      } catch (OutOfMemoryError e) {
        departure.leave();
      }
      System.exit(all.size());
    }
  }
}
