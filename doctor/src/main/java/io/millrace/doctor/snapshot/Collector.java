package io.millrace.doctor.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.client.Answer;
import io.millrace.client.ClusterClient;
import io.millrace.client.NoAnswerException;
import io.millrace.client.Request;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.unit.Units;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@link Snapshot}: one request after the other, each with a time and a size limit, so that
 * a cluster in trouble is not troubled further. A probe that fails is noted and the others go on;
 * only a cluster that stops answering ends it.
 */
public final class Collector {
  private static final int MOST_TIMEOUTS = 3;
  private static final String NO_TEMPLATES = "there are no index templates of this kind in ";

  /** A request line longer than 4,096 bytes is refused ({@code http.max_initial_line_length}). */
  private static final int MOST_NAMES = 3_000;

  private final ClusterClient client;
  private final Limits limits;
  private final Consumer<String> progress;
  private final Map<Probe, JsonNode> first = new EnumMap<>(Probe.class);
  private final Map<Probe, JsonNode> last = new EnumMap<>(Probe.class);
  private final Map<Probe, String> missing = new EnumMap<>(Probe.class);
  private int asked;
  private int timeouts;

  /**
   * @param client with a length limit of {@link Limits#answerBytes}
   * @param progress is told before each request what it is
   */
  public Collector(ClusterClient client, Limits limits, Consumer<String> progress) {
    this.client = client;
    this.limits = limits;
    this.progress = progress;
  }

  /**
   * @throws ExpectedFailure when no cluster answers, it lets nobody in, or it dies meanwhile
   */
  public Snapshot collect() throws InterruptedException {
    client.check();
    ask(Probe.ROOT, Probe.ROOT.path());
    stats(Probe.STATS.counters());
    ask(Probe.INDEX_STATS, Probe.INDEX_STATS.counters());
    long begun = System.nanoTime();
    keepFirst(Probe.STATS);
    keepFirst(Probe.INDEX_STATS);
    for (Probe probe : Probe.values()) {
      switch (probe) {
        case ROOT, STATS, INDEX_STATS -> {}
        case MAPPINGS -> named(probe, limits.mappings());
        case FIELD_USAGE -> {
          if (!product().opensearch() && !product().elasticsearchBefore(7, 15, 0)) {
            named(probe, 5);
          } else {
            missing.put(probe, product() + " does not count which fields are used");
          }
        }
        case INDEX_TEMPLATES -> {
          if (product().elasticsearchBefore(7, 8, 0)) {
            missing.put(probe, NO_TEMPLATES + product());
          } else {
            ask(probe, probe.path());
          }
        }
        default -> ask(probe, probe.path());
      }
    }
    long left = limits.window().toMillis() - (System.nanoTime() - begun) / 1_000_000;
    if (left > 0) {
      progress.accept("waiting " + Units.time(left) + " to see rates");
      Thread.sleep(left);
    }
    stats(Probe.STATS.path());
    ask(Probe.INDEX_STATS, Probe.INDEX_STATS.path());
    return new Snapshot(first, last, missing, Instant.now(), Given.NOTHING);
  }

  /**
   * Reads some probes once, without mappings: no rates can be told from them.
   *
   * @throws ExpectedFailure when no cluster answers, it lets nobody in, or it dies meanwhile
   */
  public Snapshot collect(Set<Probe> some) throws InterruptedException {
    client.check();
    ask(Probe.ROOT, Probe.ROOT.path());
    for (Probe probe : Probe.values()) {
      if (probe == Probe.INDEX_TEMPLATES && product().elasticsearchBefore(7, 8, 0)) {
        missing.put(probe, NO_TEMPLATES + product());
      } else if (probe == Probe.STATS && some.contains(probe)) {
        stats(probe.path());
      } else if (probe != Probe.ROOT && some.contains(probe)) {
        ask(probe, probe.path());
      }
    }
    return new Snapshot(first, last, missing, Instant.now(), Given.NOTHING);
  }

  /** Versions differ in the parts that they know; one that knows less is asked for everything. */
  private void stats(String path) throws InterruptedException {
    ask(
        Probe.STATS,
        product().elasticsearchBefore(7, 10, 0) ? path.replace(",indexing_pressure", "") : path);
    String why = missing.get(Probe.STATS);
    if (why != null && why.startsWith("HTTP 400")) {
      ask(Probe.STATS, Probe.whole(path));
    }
  }

  private Product product() {
    return Product.of(last.getOrDefault(Probe.ROOT, MissingNode.getInstance()));
  }

  private void keepFirst(Probe probe) {
    JsonNode answer = last.get(probe);
    if (answer != null) {
      first.put(probe, answer);
    }
  }

  /** Asks for indices by name: of each family the one that is written to most, or is largest. */
  private void named(Probe probe, int most) throws InterruptedException {
    Snapshot so = new Snapshot(first, last, missing, Instant.now(), Given.NOTHING);
    Map<String, Index> families = new HashMap<>();
    for (Index index : so.userIndices()) {
      families.merge(index.family(), index, (a, b) -> interest(a) >= interest(b) ? a : b);
    }
    StringBuilder names = new StringBuilder();
    families.values().stream()
        .sorted(Comparator.comparingLong(Collector::interest).reversed())
        .limit(most)
        .map(Index::name)
        .filter(name -> name.matches("[\\w.+-]+"))
        .forEach(name -> {
          if (names.length() + name.length() < MOST_NAMES) {
            names.append(names.isEmpty() ? "" : ",").append(name);
          }
        });
    if (names.isEmpty()) {
      missing.put(probe, "there is no index to read it of");
    } else {
      ask(probe, probe.path().replace("{indices}", names));
    }
  }

  private static long interest(Index index) {
    return index.stat("primaries.indexing.index_total") * 100 + index.bytes();
  }

  private void ask(Probe probe, String path) throws InterruptedException {
    asked++;
    progress.accept(probe.shown());
    Answer answer;
    try {
      answer = client.send(Request.of("GET", path).within(limits.perRequest()));
    } catch (NoAnswerException e) {
      noAnswer(probe, e);
      return;
    }
    timeouts = 0;
    JsonNode json = probe == Probe.HOT_THREADS ? TextNode.valueOf(answer.text()) : answer.json();
    if (answer.status() == 200 && json != null) {
      last.put(probe, json);
      missing.remove(probe);
    } else {
      missing.put(probe, why(answer, json));
    }
  }

  private static String why(Answer answer, @Nullable JsonNode json) {
    int status = answer.status();
    if (status == 401 || status == 403) {
      return "no permission: HTTP " + status + " " + answer.reason();
    }
    if (json == null) {
      return "HTTP " + status + " with something else than JSON: \"" + answer.excerpt() + "\"";
    }
    return "HTTP " + status + ": " + answer.reason();
  }

  private void noAnswer(Probe probe, NoAnswerException e) {
    boolean late = e.getCause() instanceof java.net.http.HttpTimeoutException;
    boolean tooLong = String.valueOf(e.getMessage()).contains("the answer is longer");
    if (tooLong || (late && ++timeouts < MOST_TIMEOUTS)) {
      missing.put(
          probe,
          tooLong
              ? "the answer is longer than " + Units.size(limits.answerBytes())
              : "no answer within " + Units.time(limits.perRequest().toMillis()));
      return;
    }
    throw new ExpectedFailure(
        ExitCode.CLUSTER,
        client.given()
            + " stopped answering during request "
            + asked
            + " ("
            + probe.shown()
            + "): "
            + e.getMessage(),
        "The node died or the way to it broke. Look at the node's log, then run this again, also"
            + " with another node's URL.",
        e);
  }
}
