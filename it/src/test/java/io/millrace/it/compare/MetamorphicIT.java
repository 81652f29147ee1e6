package io.millrace.it.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.SharedCluster;
import io.millrace.plugin.Features;
import io.millrace.testkit.Tree;
import io.millrace.testkit.compare.Answers;
import io.millrace.testkit.compare.OperationFile;
import io.millrace.testkit.compare.RandomOperations;
import io.millrace.testkit.compare.RandomOperations.Operation;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same random operations on a stock node and on one with every feature on: every answer is
 * equal, errors word by word.
 *
 * <p>{@code -Dmillrace.metamorphic.operations=100000} runs longer; {@code
 * -Dmillrace.metamorphic.seed=N} another series in place of the first. A failure names seed, number
 * and request.
 */
class MetamorphicIT {
  @RegisterExtension static final SharedCluster STOCK = SharedCluster.of(Tree.STOCK, 1);
  @RegisterExtension static final SharedCluster OURS = SharedCluster.of(Tree.MILLRACE, 1);

  /** So many that each fixed seed refuses several of them. */
  private static final int OPERATIONS = Integer.getInteger("millrace.metamorphic.operations", 400);

  /** Index-level settings of ours that do nothing once their features are off. */
  private static final String INERT_WHEN_OFF =
      "\"index.bulk_routing.enabled\":true,\"index.mapping.keyword.truncate\":true,"
          + "\"index.millrace.ordinal_postings.fields\":[\"*\"]";

  /** Every index-level setting of ours that leaves the answers as they are. */
  private static final String OPT_IN = "\"index.codec\":\"zstandard\"," + INERT_WHEN_OFF;

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void everyAnswerIsEqual(long fixed) {
    long seed = fixed == 1 ? Long.getLong("millrace.metamorphic.seed", 1) : fixed;
    compare(seed, fixed == 1 ? 1 : 3, OPT_IN);
  }

  /**
   * What a switch promises, for every feature at once: off, it leaves stock's behaviour.
   *
   * <p>Settings of the index stay opted in, as they are when an operator switches a feature off.
   * The codec is not among them: a new index that asks for one that is off is refused.
   */
  @Test
  void everyAnswerIsEqualWithEveryFeatureOff() {
    assertNotEquals(Set.of(), on());
    Set<String> switches = draw().switches();
    set(switches, "false");
    try {
      assertEquals(Set.of(), on(), "still on after " + switches);
      compare(3, 2, INERT_WHEN_OFF);
    } finally {
      set(switches, "null");
    }
  }

  /**
   * One file of operations, played on stock and then under sets of options that are drawn from what
   * the features declare: every answer is stock's, so any two sets answer alike. Half-way through,
   * the options that an open index and a running node take are drawn anew.
   */
  @Test
  void anyTwoSetsOfOptionsAnswerAlike() {
    long first = Long.getLong("millrace.metamorphic.seed", 1);
    for (long seed = first;
        seed < first + Integer.getInteger("millrace.metamorphic.runs", 1);
        seed++) {
      anyTwoSetsOfOptionsAnswerAlike(seed);
    }
  }

  private static void anyTwoSetsOfOptionsAnswerAlike(long seed) {
    String given = System.getProperty("millrace.metamorphic.file", "");
    Path file = Path.of(given.isEmpty() ? "target/metamorphic/" + seed + ".ndjson" : given);
    if (given.isEmpty()) {
      RandomOperations operations = new RandomOperations(seed, "logs");
      int count = Integer.getInteger("millrace.metamorphic.operations", 250);
      OperationFile.write(file, Stream.generate(operations::next).limit(count).toList());
    }
    String run = "seed " + seed + ", operations of " + file.toAbsolutePath();
    Random random = new Random(seed);
    OptionRun series =
        new OptionRun(
            STOCK.http(), OURS.http(), 1 + random.nextInt(3), OperationFile.read(file), answers());
    System.out.println(run + ", answers of stock by status: " + series.statuses());
    OptionDraw draw = draw();
    for (int set = 1; set <= Integer.getInteger("millrace.metamorphic.sets", 4); set++) {
      String what = run + ", set " + set;
      System.out.println(what + " answered alike:\n" + series.same(what, () -> draw.next(random)));
    }
  }

  private static OptionDraw draw() {
    return new OptionDraw(Features.all(), new OptionValues(RandomOperations.fields()));
  }

  private static void set(Set<String> settings, String value) {
    String lines =
        settings.stream().map(name -> '"' + name + "\":" + value).collect(Collectors.joining(","));
    OURS.http().put("/_cluster/settings", "{\"persistent\":{" + lines + "}}").ok();
  }

  /** The features that say of themselves that they are on. */
  private static Set<String> on() {
    Set<String> on = new HashSet<>();
    OURS.http()
        .get("/_millrace/stats")
        .ok()
        .at("/features")
        .properties()
        .forEach(feature -> {
          if (feature.getValue().get("on").asBoolean()) {
            on.add(feature.getKey());
          }
        });
    return on;
  }

  /** Runs the series of this seed on both nodes, on an index of so many shards. */
  private static void compare(long seed, int shards, String settings) {
    JsonHttp stock = STOCK.http();
    JsonHttp ours = OURS.http();
    stock.put("/logs", RandomOperations.creation(shards, "")).ok();
    ours.put("/logs", RandomOperations.creation(shards, settings)).ok();

    RandomOperations operations = new RandomOperations(seed, "logs");
    Answers answers = answers();
    Map<Integer, Integer> statuses = new TreeMap<>();
    for (int i = 0; i < OPERATIONS; i++) {
      int status = same("seed " + seed + ", operation " + i, operations.next(), answers);
      statuses.merge(status, 1, Integer::sum);
    }
    // the series is worth something: writes, reads and refusals
    assertTrue(statuses.getOrDefault(200, 0) > OPERATIONS / 2, statuses.toString());
    assertTrue(statuses.getOrDefault(201, 0) > 10, statuses.toString());
    assertTrue(statuses.getOrDefault(409, 0) > 3, statuses.toString());
    assertTrue(statuses.getOrDefault(400, 0) > 3, statuses.toString());
    assertEquals(
        answers.normal(stock.get("/logs/_mapping").ok().json()),
        answers.normal(ours.get("/logs/_mapping").ok().json()));
  }

  private static Answers answers() {
    // by-query requests number their writes in the order of the segments, which merges decide
    return new Answers().forget("index_uuid").forget("_seq_no");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void scoresAreEqualWhereNothingWasDeleted(int shards) {
    STOCK.http().put("/logs", RandomOperations.creation(shards, "")).ok();
    OURS.http().put("/logs", RandomOperations.creation(shards, OPT_IN)).ok();
    RandomOperations operations = new RandomOperations(11 + shards, "logs");
    Answers answers = new Answers();
    for (int n = 0; n < 3000; n += 250) {
      same("documents from " + n, operations.append(n, n + 250), answers);
      same("refresh", new Operation("POST", "/logs/_refresh", null), answers);
    }
    for (int i = 0; i < 150; i++) {
      same("search " + i, operations.scored(), answers);
    }
  }

  /** Sends the operation to both nodes, asserts equal answers and returns their status. */
  private static int same(String what, Operation operation, Answers answers) {
    JsonAnswer expected = STOCK.http().send(operation.method(), operation.path(), operation.body());
    JsonAnswer actual = OURS.http().send(operation.method(), operation.path(), operation.body());
    String where = what + ": " + operation;
    assertEquals(expected.status(), actual.status(), () -> where + "\n" + expected + "\n" + actual);
    assertEquals(
        answers.normal(expected.json()).toPrettyString(),
        answers.normal(actual.json()).toPrettyString(),
        where);
    return expected.status();
  }

  @Test
  void scrollsAndPointsInTimeSeeEveryDocumentOnce() {
    Set<String> seen = null;
    for (JsonHttp http : new JsonHttp[] {STOCK.http(), OURS.http()}) {
      http.put("/logs", RandomOperations.creation(3, http == OURS.http() ? OPT_IN : "")).ok();
      RandomOperations operations = new RandomOperations(5, "logs");
      for (int i = 0; i < 300; i++) {
        Operation operation = operations.next();
        if (operation.path().endsWith("_bulk")) {
          // some are refused as a whole: they hold a broken update
          http.send(operation.method(), operation.path(), operation.body());
        }
      }
      http.post("/logs/_refresh").ok();
      Set<String> scrolled = scroll(http);
      assertEquals(scrolled, pointInTime(http));
      assertEquals(http.get("/logs/_count").ok().at("/count").asInt(), scrolled.size());
      assertTrue(seen == null || seen.equals(scrolled));
      seen = scrolled;
    }
  }

  private static Set<String> scroll(JsonHttp http) {
    Set<String> ids = new HashSet<>();
    JsonAnswer page = http.post("/logs/_search?scroll=1m&size=37&sort=_doc").ok();
    while (page.at("/hits/hits").size() > 0) {
      page.at("/hits/hits").forEach(hit -> assertTrue(ids.add(hit.at("/_id").asText())));
      String id = page.at("/_scroll_id").asText();
      page = http.post("/_search/scroll", "{\"scroll\":\"1m\",\"scroll_id\":\"" + id + "\"}").ok();
    }
    return ids;
  }

  private static Set<String> pointInTime(JsonHttp http) {
    Set<String> ids = new HashSet<>();
    String pit = http.post("/logs/_search/point_in_time?keep_alive=1m").ok().at("/pit_id").asText();
    String after = "";
    while (true) {
      JsonAnswer page =
          http.post(
                  "/_search",
                  "{\"size\":41,\"pit\":{\"id\":\"%s\",\"keep_alive\":\"1m\"},\"sort\":[{\"_id\":\"asc\"}]%s}"
                      .formatted(pit, after))
              .ok();
      JsonNode hits = page.at("/hits/hits");
      if (hits.isEmpty()) {
        return ids;
      }
      hits.forEach(hit -> assertTrue(ids.add(hit.at("/_id").asText())));
      after = ",\"search_after\":" + hits.get(hits.size() - 1).get("sort");
    }
  }
}
