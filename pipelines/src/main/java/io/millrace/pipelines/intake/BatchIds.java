package io.millrace.pipelines.intake;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import org.opensearch.common.UUIDs;

/**
 * Ids of the documents of one body: the second of the record, the body's digest and the place in
 * it. Who sends the same body again, because the answer got lost, writes nothing twice.
 *
 * <p>The second comes first, in bytes that sort like it. A shard looks each id up in all of its
 * segments, and Lucene passes one by whose ids are all smaller or all greater ({@code
 * SegmentTermsEnum#seekExact}): those of minutes ago are. All bytes are given in base64 without a
 * rest, which OpenSearch keeps as the bytes ({@code Uid#encodeId}).
 *
 * <p>A record without a time of its own gets an id of its own instead: two bodies that hold the
 * same such records need not be the same batch.
 */
public final class BatchIds {
  private static final Base64.Encoder TEXT = Base64.getUrlEncoder();
  private static final int SECOND = Integer.BYTES;
  private static final int DIGEST = 15;

  /** Letters of base64 for three bytes. */
  private static final int GROUP = 4;

  /** What the ids of one second have in common, which are whole groups of three bytes. */
  private static final int COMMON = SECOND + DIGEST - 1;

  private static final byte[] LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".getBytes(ISO_8859_1);

  private final byte[] start = new byte[COMMON];
  private final int lastOfDigest;
  private long second = Long.MIN_VALUE;
  private byte[] common = {};

  /** Ids for this body. */
  public BatchIds(byte[] body) {
    try {
      byte[] sha = MessageDigest.getInstance("SHA-256").digest(body);
      System.arraycopy(sha, 0, start, SECOND, DIGEST - 1);
      lastOfDigest = sha[DIGEST - 1] & 0xFF;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * The id of a record with a time of its own.
   *
   * @param place its number in the body
   * @param seconds its time since the epoch; another one of the same record gives another id
   */
  public String of(int place, long seconds) {
    if (seconds != second) {
      second = seconds;
      for (int i = 0; i < SECOND; i++) {
        start[i] = (byte) (seconds >> 8 * (SECOND - 1 - i));
      }
      common = TEXT.encode(start);
    }
    boolean few = place >>> Short.SIZE == 0;
    byte[] id = Arrays.copyOf(common, common.length + (few ? GROUP : 2 * GROUP));
    if (few) {
      group(id, common.length, lastOfDigest << 16 | place);
    } else {
      group(id, common.length, lastOfDigest << 16 | place >>> 24);
      group(id, common.length + GROUP, place & 0xFF_FFFF);
    }
    return new String(id, ISO_8859_1);
  }

  /** Three bytes as the four letters that base64 has for them. */
  private static void group(byte[] id, int at, int three) {
    for (int i = 0; i < GROUP; i++) {
      id[at + i] = LETTERS[three >>> 6 * (GROUP - 1 - i) & 0x3F];
    }
  }

  /** The id of a record without a time, another one each time. */
  public String fresh() {
    return UUIDs.base64UUID();
  }
}
