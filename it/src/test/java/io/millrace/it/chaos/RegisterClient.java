package io.millrace.it.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.client.Answer;
import io.millrace.client.NoAnswerException;
import io.millrace.client.Request;
import io.millrace.it.chaos.Histories.Key;
import io.millrace.it.chaos.Operation.Attempt;
import io.millrace.it.chaos.Operation.Kind;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A client that writes, replaces, deletes and reads documents by their ids, through any node, and
 * keeps what it was told.
 *
 * <p>An answer other than success leaves the outcome unknown, a conflict of a condition too: the
 * coordinating node may have sent the operation twice, and the second found the first. Only where
 * no connection came about was nothing asked.
 */
final class RegisterClient implements Runnable {
  private static final Set<String> LOST =
      Set.of("shard_not_found_exception", "index_not_found_exception");

  private static final String LIMIT = "timeout=1s";
  private static final int PAUSE_MILLIS = 15;

  private final Doors doors;
  private final Histories histories;
  private final ActiveKeys keys;
  private final Random random;
  private final BooleanSupplier ended;

  /** Answers that no client should get, each with the first example. */
  private final ConcurrentMap<String, String> odd;

  RegisterClient(
      Doors doors,
      Histories histories,
      ActiveKeys keys,
      long seed,
      BooleanSupplier ended,
      ConcurrentMap<String, String> odd) {
    this.doors = doors;
    this.histories = histories;
    this.keys = keys;
    this.random = new Random(seed);
    this.ended = ended;
    this.odd = odd;
  }

  /** Where a client's odd answers are kept. */
  static ConcurrentMap<String, String> oddAnswers() {
    return new ConcurrentHashMap<>();
  }

  @Override
  public void run() {
    try {
      while (!ended.getAsBoolean()) {
        step();
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void step() throws InterruptedException {
    int node = doors.any(random);
    Key key = keys.next(random);
    int drawn = random.nextInt(100);
    if (drawn < 14) {
      put(node, key, Kind.WRITE, "/_doc/");
    } else if (drawn < 22) {
      put(node, key, Kind.CREATE, "/_create/");
    } else if (drawn < 30) {
      update(node, key);
    } else if (drawn < 40) {
      remove(node, key);
    } else if (drawn < 52) {
      replace(node, key);
    } else if (drawn < 60) {
      bulk(node);
    } else {
      read(node, key, drawn < 80);
    }
  }

  private String by(int node) {
    return "node-" + node;
  }

  private Attempt attempt(Kind kind, long value, long expected, int node) {
    return new Attempt(kind, value, expected, System.nanoTime(), by(node));
  }

  private void put(int node, Key key, Kind kind, String path) throws InterruptedException {
    long value = histories.nextValue();
    Attempt attempt = attempt(kind, value, Operation.ABSENT, node);
    write(node, key, attempt, "PUT", path + key.id() + "?" + LIMIT, ValueDocument.source(value));
  }

  private void update(int node, Key key) throws InterruptedException {
    long value = histories.nextValue();
    String body = "{\"doc\":" + ValueDocument.source(value) + ",\"doc_as_upsert\":true}";
    Attempt attempt = attempt(Kind.WRITE, value, Operation.ABSENT, node);
    write(node, key, attempt, "POST", "/_update/" + key.id() + "?" + LIMIT, body);
  }

  private void remove(int node, Key key) throws InterruptedException {
    Attempt attempt = attempt(Kind.DELETE, Operation.ABSENT, Operation.ABSENT, node);
    write(node, key, attempt, "DELETE", "/_doc/" + key.id() + "?" + LIMIT, null);
  }

  private void replace(int node, Key key) throws InterruptedException {
    Operation seen = read(node, key, random.nextBoolean());
    if (seen == null || seen.value() == Operation.ABSENT) {
      return;
    }
    int other = doors.any(random);
    long value = histories.nextValue();
    Attempt attempt = attempt(Kind.REPLACE, value, seen.value(), other);
    String condition =
        "?if_seq_no=" + seen.stamp().seqNo() + "&if_primary_term=" + seen.stamp().primaryTerm();
    String path = "/_doc/" + key.id() + condition + "&" + LIMIT;
    write(other, key, attempt, "PUT", path, ValueDocument.source(value));
  }

  private void write(
      int node, Key key, Attempt attempt, String method, String path, @Nullable String body)
      throws InterruptedException {
    try {
      Answer answer = doors.ask(node, Request.json(method, "/" + key.index() + path, body));
      JsonNode json = answer.json();
      keep(key, attempt, answer.status(), json == null ? Histories.NOTHING : json);
    } catch (NoAnswerException e) {
      keep(key, attempt, e);
    }
  }

  private void keep(Key key, Attempt attempt, NoAnswerException e) throws InterruptedException {
    if (e.ambiguous()) {
      histories.add(key, Operation.unknown(attempt));
    } else {
      Thread.sleep(50); // the node is down
    }
  }

  private void keep(Key key, Attempt attempt, int status, JsonNode answer) {
    boolean done = status == 200 || status == 201 || attempt.kind() == Kind.DELETE && status == 404;
    Stamp stamp = Stamp.of(answer);
    if (done && stamp.seqNo() >= 0) {
      histories.add(key, Operation.acknowledged(attempt, System.nanoTime(), stamp));
      return;
    }
    histories.add(key, Operation.unknown(attempt));
    if (status < 500 && status != 429 && status != 409 && !lost(status, answer)) {
      odd.putIfAbsent(attempt.kind() + " " + status, answer.toString());
    }
  }

  /**
   * A node that took over too late, or was left out too early, has no such shard. OpenSearch asks
   * again until the time of the request has passed, and then says what it heard last
   * (TransportReplicationAction.ReroutePhase#retry).
   */
  private static boolean lost(int status, JsonNode answer) {
    JsonNode error = answer.path("error");
    return status == 404
        && LOST.contains(error.path("type").asText())
        && !error.path("index_uuid").asText("_na_").equals("_na_");
  }

  private void bulk(int node) throws InterruptedException {
    Map<Key, Attempt> attempts = new LinkedHashMap<>();
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 3; i++) {
      Key key = keys.next(random);
      if (!attempts.containsKey(key)) {
        attempts.put(key, append(body, key, node));
      }
    }
    String index = attempts.keySet().iterator().next().index();
    byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    try {
      keep(
          attempts,
          doors.ask(
              node, Request.of("POST", "/" + index + "/_bulk?" + LIMIT, bytes, Request.NDJSON)));
    } catch (NoAnswerException e) {
      for (Map.Entry<Key, Attempt> entry : attempts.entrySet()) {
        keep(entry.getKey(), entry.getValue(), e);
      }
    }
  }

  /** Appends one write to the body of a bulk. */
  private Attempt append(StringBuilder body, Key key, int node) {
    if (random.nextInt(4) == 0) {
      body.append("{\"delete\":{\"_id\":\"").append(key.id()).append("\"}}\n");
      return attempt(Kind.DELETE, Operation.ABSENT, Operation.ABSENT, node);
    }
    long value = histories.nextValue();
    body.append("{\"index\":{\"_id\":\"").append(key.id()).append("\"}}\n");
    body.append(ValueDocument.source(value)).append('\n');
    return attempt(Kind.WRITE, value, Operation.ABSENT, node);
  }

  /** Each write of a bulk has an item of the answer, in their order; none where it was refused. */
  private void keep(Map<Key, Attempt> attempts, Answer answer) {
    JsonNode json = answer.json();
    JsonNode items = json == null ? Histories.NOTHING : json.path("items");
    int i = 0;
    for (Map.Entry<Key, Attempt> entry : attempts.entrySet()) {
      JsonNode item = items.path(i++);
      JsonNode result = item.isEmpty() ? Histories.NOTHING : item.elements().next();
      int status = item.isEmpty() ? answer.status() : result.path("status").asInt();
      keep(entry.getKey(), entry.getValue(), status, result);
    }
  }

  /** The read, or {@code null} when it had no answer. */
  private @Nullable Operation read(int node, Key key, boolean primary) throws InterruptedException {
    String query = primary ? "?preference=_primary" : "";
    String by = by(node) + (primary ? Checker.STRICT : "");
    long start = System.nanoTime();
    try {
      Answer answer =
          doors.ask(node, Request.of("GET", "/" + key.index() + "/_doc/" + key.id() + query));
      JsonNode json = answer.json();
      if (json == null || !json.path("found").isBoolean()) {
        return null;
      }
      boolean found = json.path("found").asBoolean();
      long value = found ? ValueDocument.value(json.path("_source")) : Operation.ABSENT;
      Stamp stamp = found ? Stamp.of(json) : Stamp.NONE;
      Operation read = Operation.read(value, start, System.nanoTime(), stamp, by);
      histories.add(key, read);
      return read;
    } catch (NoAnswerException e) {
      if (!e.ambiguous()) {
        Thread.sleep(50);
      }
      return null;
    }
  }
}
