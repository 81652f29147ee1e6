package io.millrace.it.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.client.Answer;
import io.millrace.client.NoAnswerException;
import io.millrace.client.Request;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * A client that appends documents without ids to one index, and what it was told: each acknowledged
 * one has to be there once, each of unknown outcome at most once.
 */
final class Appended implements Runnable {
  /** In place of a time: the outcome is unknown. */
  private static final long UNKNOWN = Long.MAX_VALUE;

  private static final int BULK = 5;
  private static final int PAUSE_MILLIS = 150;

  private final String index;
  private final Doors doors;
  private final Histories histories;
  private final Random random;
  private final BooleanSupplier ended;
  private final Map<Long, Long> acknowledged = new ConcurrentHashMap<>();

  Appended(String index, Doors doors, Histories histories, long seed, BooleanSupplier ended) {
    this.index = index;
    this.doors = doors;
    this.histories = histories;
    this.random = new Random(seed);
    this.ended = ended;
  }

  @Override
  public void run() {
    try {
      while (!ended.getAsBoolean()) {
        append();
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void append() throws InterruptedException {
    StringBuilder body = new StringBuilder();
    List<Long> values = new ArrayList<>();
    for (int i = 0; i < BULK; i++) {
      values.add(histories.nextValue());
      body.append("{\"index\":{}}\n").append(ValueDocument.source(values.getLast())).append('\n');
      acknowledged.put(values.getLast(), UNKNOWN);
    }
    byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    try {
      Answer answer =
          doors.ask(
              doors.any(random),
              Request.of("POST", "/" + index + "/_bulk?timeout=1s", bytes, Request.NDJSON));
      JsonNode json = answer.json();
      for (int i = 0; json != null && i < json.path("items").size(); i++) {
        if (json.path("items").get(i).path("index").path("status").asInt() == 201) {
          acknowledged.put(values.get(i), System.nanoTime());
        }
      }
    } catch (NoAnswerException e) {
      if (!e.ambiguous()) {
        values.forEach(acknowledged::remove);
        Thread.sleep(50);
      }
    }
  }

  String index() {
    return index;
  }

  /** How many documents were acknowledged. */
  long count() {
    return acknowledged.values().stream().filter(end -> end != UNKNOWN).count();
  }

  /** Whether a document with this value was sent. */
  boolean sent(long value) {
    return acknowledged.containsKey(value);
  }

  /** The documents that were acknowledged before this moment and are not among these. */
  List<Long> missing(Set<Long> found, long before) {
    return acknowledged.entrySet().stream()
        .filter(entry -> entry.getValue() < before && !found.contains(entry.getKey()))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }
}
