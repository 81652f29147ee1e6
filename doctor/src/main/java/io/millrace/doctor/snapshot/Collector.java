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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@link Snapshot}: one request after the other, each with a time and a size limit, so that
 * a cluster in trouble is not troubled further. A probe that fails is noted and the others go on;
 * only a cluster that stops answering ends it.
 */
public final class Collector {
  private static final int MOST_TIMEOUTS = 3;

  /** Nobody may, or nobody can; whoever has no time is not asked for more. */
  private static final Pattern REFUSED =
      Pattern.compile("^(?:no permission: )?HTTP (?:400|401|403|404|405)\\b");

  private static final String NO_INDEX = "there is no index to read it of";
  private static final String NO_TEMPLATES = "there are no index templates of this kind in ";

  /** A request line longer than 4,096 bytes is refused ({@code http.max_initial_line_length}). */
  private static final int MOST_NAMES = 3_000;

  private final ClusterClient client;
  private final Limits limits;
  private final Consumer<String> progress;
  private final Map<Probe, JsonNode> first = new EnumMap<>(Probe.class);
  private final Map<Probe, JsonNode> last = new EnumMap<>(Probe.class);
  private final Map<Probe, String> missing = new EnumMap<>(Probe.class);
  private boolean stacks;
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

  /** Also asks for stacks of threads, which no check reads: people who are given a bundle do. */
  public Collector withStacks() {
    stacks = true;
    return this;
  }

  /**
   * @throws ExpectedFailure when no cluster answers, or it lets nobody in
   * @throws ClusterDiedException when it dies meanwhile, with what it had answered
   */
  public Snapshot collect() throws InterruptedException {
    client.check();
    try {
      return collectAll();
    } catch (ExpectedFailure e) {
      if (!last.containsKey(Probe.NODES)) {
        throw e; // no check can say anything
      }
      for (Probe probe : Probe.values()) {
        if (!last.containsKey(probe)) {
          missing.putIfAbsent(probe, "the cluster stopped answering before");
        }
      }
      throw new ClusterDiedException(soFar(), e);
    }
  }

  private Snapshot collectAll() throws InterruptedException {
    ask(Probe.ROOT, Probe.ROOT.path());
    stats(Probe.STATS.counters());
    ask(Probe.INDEX_STATS, Probe.INDEX_STATS.counters());
    long begun = System.nanoTime();
    keepFirst(Probe.STATS);
    keepFirst(Probe.INDEX_STATS);
    for (Probe probe : Probe.values()) {
      switch (probe) {
        case ROOT, STATS, INDEX_STATS, SHARD_SIZES, MAPPINGS, FIELD_USAGE -> {}
        case SHARDS -> shards();
        case HOT_THREADS -> {
          if (stacks) {
            ask(probe, probe.path());
          } else {
            missing.put(probe, "it is asked for with --save only");
          }
        }
        case RECOVERY ->
            named(
                probe,
                soFar().shards().stream().filter(Collector::onItsWay).map(Shard::index),
                "no shard is on its way");
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
    ofIndices();
    return new Snapshot(first, last, missing, Instant.now(), Given.NOTHING);
  }

  /** What is asked for of some indices only: which ones, the answers before tell. */
  private void ofIndices() throws InterruptedException {
    if (!last.getOrDefault(Probe.SHARDS, MissingNode.getInstance()).isArray()) {
      sizes();
    }
    named(Probe.MAPPINGS, families().limit(limits.mappings()), NO_INDEX);
    if (!product().opensearch() && !product().elasticsearchBefore(7, 15, 0)) {
      named(Probe.FIELD_USAGE, families().limit(5), NO_INDEX);
    } else {
      missing.put(Probe.FIELD_USAGE, product() + " does not count which fields are used");
    }
  }

  /** Whoever may not read the cluster's state may ask for rows, which cost the nodes more. */
  private void shards() throws InterruptedException {
    ask(Probe.SHARDS, Probe.SHARDS.path());
    String why = missing.get(Probe.SHARDS);
    if (why != null && REFUSED.matcher(why).find()) {
      ask(Probe.SHARDS, Probe.rows());
    }
  }

  private static boolean onItsWay(Shard shard) {
    return shard.state().equals("INITIALIZING") || shard.state().equals("RELOCATING");
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
      } else if (probe == Probe.SHARDS && some.contains(probe)) {
        shards();
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

  /** Holds counters only: were it also the last answer, what it lacks would look like zeros. */
  private void keepFirst(Probe probe) {
    JsonNode answer = last.remove(probe);
    if (answer != null) {
      first.put(probe, answer);
    }
  }

  private void sizes() throws InterruptedException {
    List<String> large =
        soFar().indices().stream().filter(Index::mayHoldLargeShards).map(Index::name).toList();
    if (large.stream().mapToInt(String::length).sum() > MOST_NAMES / 2) {
      ask(Probe.SHARD_SIZES, Probe.SHARD_SIZES.path().replace("{indices}", "_all"));
    } else {
      named(Probe.SHARD_SIZES, large.stream(), "no index can hold a large shard");
    }
  }

  private Snapshot soFar() {
    return new Snapshot(first, last, missing, Instant.now(), Given.NOTHING);
  }

  /** Of each family the index that is written to most, or is largest; the first matters most. */
  private Stream<String> families() {
    Map<String, Index> families = new HashMap<>();
    for (Index index : soFar().userIndices()) {
      families.merge(index.family(), index, (a, b) -> interest(a) >= interest(b) ? a : b);
    }
    return families.values().stream()
        .sorted(Comparator.comparingLong(Collector::interest).reversed())
        .map(Index::name);
  }

  /**
   * Asks for indices by name, as many as a request line holds.
   *
   * @param none why there is no answer where there is no name
   */
  private void named(Probe probe, Stream<String> indices, String none) throws InterruptedException {
    StringBuilder names = new StringBuilder();
    indices
        .distinct()
        .map(PathNames::encoded)
        .forEach(name -> {
          if (names.length() + name.length() < MOST_NAMES) {
            names.append(names.isEmpty() ? "" : ",").append(name);
          }
        });
    if (names.isEmpty()) {
      missing.put(probe, none);
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
