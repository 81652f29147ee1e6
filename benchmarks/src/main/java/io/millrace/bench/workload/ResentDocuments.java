package io.millrace.bench.workload;

import java.util.HexFormat;
import java.util.Iterator;
import java.util.SplittableRandom;

/**
 * Documents under ids of the sender's own, of which a share is sent twice: what a shipper does that
 * retries after a timeout. A second sending carries the same id and the same source, so the final
 * content is defined whatever order two workers send in, and a correct server ends with exactly
 * {@link #distinct} documents.
 */
public final class ResentDocuments implements Iterator<Document> {
  private static final int WINDOW = 100_000;

  private final Iterator<Document> source;
  private final int percent;
  private final SplittableRandom random;
  private final Document[] recent = new Document[WINDOW];
  private long sent;
  private long distinct;

  /**
   * @param percent of all documents that are re-sent ones, 0 to 99; each repeats one of the last
   *     100,000
   */
  public ResentDocuments(Iterator<Document> source, int percent, long seed) {
    if (percent < 0 || percent > 99) {
      throw new IllegalArgumentException("percent must be within 0 and 99: " + percent);
    }
    this.source = source;
    this.percent = percent;
    this.random = new SplittableRandom(seed);
  }

  @Override
  public boolean hasNext() {
    return true;
  }

  @Override
  public Document next() {
    // every hundredth part is exact: of 100 documents the last `percent` are repetitions
    boolean again = distinct > 0 && sent % 100 >= 100 - percent;
    sent++;
    if (again) {
      return recent[random.nextInt((int) Math.min(distinct, WINDOW))];
    }
    byte[] id = new byte[16];
    for (int i = 0; i < 16; i += 8) {
      long bits = random.nextLong();
      for (int k = 0; k < 8; k++) {
        id[i + k] = (byte) (bits >>> (8 * k));
      }
    }
    Document document = new Document(HexFormat.of().formatHex(id), source.next().source());
    recent[(int) (distinct % WINDOW)] = document;
    distinct++;
    return document;
  }

  /** The number of different documents among the first {@code count}. */
  public static long distinct(long count, int percent) {
    long rest = count % 100;
    return count / 100 * (100 - percent) + Math.min(rest, 100 - percent);
  }
}
