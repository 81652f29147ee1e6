package io.millrace.it.search;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A search that takes far longer than its {@code timeout} of 100 ms, each in another phase.
 *
 * @param name what it spends its time with
 * @param index the index it asks
 * @param body its source without the timeout, an object without its opening brace
 */
record HostileSearch(String name, String index, String body) {
  static final int TIMEOUT_MILLIS = 100;

  /** Spends a while for each document or hit. */
  private static final String SLOW =
      "long x=0; for(int i=0;i<5000;i++){x+=i*31+doc['n'].value} return x";

  static List<HostileSearch> all() {
    return List.of(
        new HostileSearch(
            "wildcards over ids",
            "one",
            "\"query\":{\"bool\":{\"should\":["
                + repeated(12, i -> "{\"wildcard\":{\"id\":\"*" + i + "*7*a*" + i + "*\"}}")
                + "]}}}"),
        new HostileSearch(
            "regular expressions over ids",
            "one",
            "\"query\":{\"bool\":{\"should\":["
                + repeated(12, i -> "{\"regexp\":{\"id\":\".*" + i + ".*[a-c]+.*" + i + "\"}}")
                + "]}}}"),
        new HostileSearch(
            "ranges of numbers",
            "one",
            "\"query\":{\"bool\":{\"should\":["
                + repeated(900, i -> "{\"range\":{\"n\":{\"gte\":" + i + "}}}")
                + "]}},\"track_total_hits\":true}"),
        new HostileSearch(
            "a script as query",
            "one",
            "\"query\":{\"bool\":{\"filter\":{\"script\":{\"script\":\"" + truth() + "\"}}}}}"),
        new HostileSearch(
            "a script as query, 12 shards",
            "twelve",
            "\"query\":{\"bool\":{\"filter\":{\"script\":{\"script\":\"" + truth() + "\"}}}}}"),
        new HostileSearch(
            "a script as sort",
            "four",
            "\"sort\":{\"_script\":{\"type\":\"number\",\"script\":\"" + SLOW + "\"}}}"),
        new HostileSearch(
            "a script per value of an aggregation",
            "four",
            "\"size\":0,\"aggs\":{\"a\":{\"sum\":{\"script\":\"" + SLOW + "\"}}}}"),
        new HostileSearch(
            "3,000 hits with a script field, one shard",
            "one",
            "\"size\":3000,\"script_fields\":{\"s\":{\"script\":\"" + SLOW + "\"}}}"),
        new HostileSearch(
            "3,000 hits with a script field, 4 shards",
            "four",
            "\"size\":3000,\"script_fields\":{\"s\":{\"script\":\"" + SLOW + "\"}}}"),
        new HostileSearch(
            "10,000 hits with highlights",
            "four",
            "\"size\":10000,\"query\":{\"match\":{\"text\":\"alpha beta gamma delta\"}},"
                + "\"highlight\":{\"fields\":{\"text\":{\"number_of_fragments\":20}}}}"),
        new HostileSearch(
            "10,000 hits with explanations",
            "four",
            "\"size\":10000,\"explain\":true,\"query\":{\"bool\":{\"should\":["
                + repeated(60, i -> "{\"match\":{\"text\":\"word" + i + "\"}}")
                + "]}}}"),
        new HostileSearch(
            "10,000 hits with named queries",
            "four",
            "\"size\":10000,\"query\":{\"bool\":{\"must\":{\"match_all\":{}},\"should\":["
                + repeated(
                    60,
                    i ->
                        "{\"match\":{\"text\":{\"query\":\"word"
                            + i
                            + "\",\"_name\":\"q"
                            + i
                            + "\"}}}")
                + "]}}}"),
        new HostileSearch(
            "terms of ids with their best hits",
            "four",
            "\"size\":0,\"aggs\":{\"a\":{\"terms\":{\"field\":\"id\",\"size\":5000},"
                + "\"aggs\":{\"h\":{\"top_hits\":{\"size\":3}}}}}}"),
        new HostileSearch(
            "terms of ids, global ordinals",
            "ordinals",
            "\"size\":0,\"aggs\":{\"a\":{\"terms\":{\"field\":\"id\",\"size\":10}}}}"),
        new HostileSearch(
            "60,000 terms of 12 shards to reduce",
            "twelve",
            "\"size\":0,\"aggs\":{\"a\":{\"terms\":{\"field\":\"id\",\"size\":60000,"
                + "\"execution_hint\":\"map\"}}}}"));
  }

  /** Whether what it spends its time with can be cut short: it then never fails. */
  boolean hasPartialAnswer() {
    return !name.startsWith("terms of ids") && !name.startsWith("60,000 terms");
  }

  /** Whether no machine ends it within the timeout: a script loops for each of the documents. */
  boolean takesSeconds() {
    return name.startsWith("a script");
  }

  /** The whole request. */
  String request() {
    return "{\"timeout\":\"" + TIMEOUT_MILLIS + "ms\"," + body;
  }

  private static String truth() {
    return SLOW.replace("return x", "return x != 1");
  }

  private static String repeated(int times, java.util.function.IntFunction<String> each) {
    return IntStream.range(0, times).mapToObj(each).collect(Collectors.joining(","));
  }

  /** A bulk of documents with ids that never repeat and texts of some 150 words. */
  static String bulk(int from, int count) {
    StringBuilder bulk = new StringBuilder(count * 1200);
    for (int i = from; i < from + count; i++) {
      Random random = new Random(i);
      bulk.append("{\"index\":{}}\n{\"id\":\"")
          .append(String.format(Locale.ROOT, "%016x%016x", random.nextLong(), random.nextLong()))
          .append("\",\"n\":")
          .append(1000 + random.nextInt(1_000_000))
          .append(",\"text\":\"alpha beta gamma delta");
      for (int word = 0; word < 150; word++) {
        bulk.append(" word").append(random.nextInt(100));
      }
      bulk.append("\"}\n");
    }
    return bulk.toString();
  }
}
