package io.millrace.corpus;

import java.nio.charset.StandardCharsets;

/**
 * Documents with many fields, for what a wide mapping costs (promise lucene-limit is about
 * 400-field documents). The first half are numbers ({@code n000}...), the second keywords ({@code
 * k000}...), after an {@code @timestamp}.
 */
public final class WideDocuments implements DocumentSource {
  private final Prng random;
  private final byte[][] names;
  private final int numeric;
  private final int keywordValues;
  private final Zipf rank;
  private long now = 1_700_000_000_000L;

  /** 400 fields, 1,000 distinct values per keyword. */
  public WideDocuments(long seed) {
    this(seed, 400, 1_000);
  }

  /**
   * @param fields number of fields beside the time, at least 2
   * @param keywordValues distinct values of each keyword, at least 1
   */
  public WideDocuments(long seed, int fields, int keywordValues) {
    if (fields < 2) {
      throw new IllegalArgumentException("fields must be at least 2, was " + fields);
    }
    random = new Prng(seed);
    numeric = fields / 2;
    this.keywordValues = keywordValues;
    rank = new Zipf(keywordValues, 0.9);
    names = new byte[fields][];
    for (int i = 0; i < fields; i++) {
      names[i] = (",\"" + name(i) + "\":").getBytes(StandardCharsets.US_ASCII);
    }
  }

  private String name(int field) {
    int index = field < numeric ? field : field - numeric;
    JsonBuffer name = new JsonBuffer();
    return name.raw(field < numeric ? 'n' : 'k').padded(index, index > 999 ? 6 : 3).toString();
  }

  @Override
  public void next(JsonBuffer out) {
    now += random.between(0, 40);
    out.raw("{\"@timestamp\":\"").instant(now).raw('"');
    for (int i = 0; i < names.length; i++) {
      out.raw(names[i]);
      if (i < numeric) {
        out.number(random.between(0, 1_000_000));
      } else {
        out.raw('"').raw('v').number(i).raw('-').number(rank.draw(random)).raw('"');
      }
    }
    out.raw('}');
  }

  /** The body for {@code PUT /{index}}: every field mapped, nothing dynamic. */
  public String mapping() {
    JsonBuffer out = new JsonBuffer(1 << 14);
    out.raw("{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":0,");
    out.raw("\"index.mapping.total_fields.limit\":").number(Math.max(1000, 2L * names.length));
    out.raw("},\"mappings\":{\"dynamic\":\"strict\",\"properties\":{");
    out.raw("\"@timestamp\":{\"type\":\"date\"}");
    for (int i = 0; i < names.length; i++) {
      out.raw(names[i]).raw(i < numeric ? "{\"type\":\"long\"}" : "{\"type\":\"keyword\"}");
    }
    return out.raw("}}}").toString();
  }

  /** Distinct values of each keyword field. */
  public int keywordValues() {
    return keywordValues;
  }
}
