package io.millrace.pipelines.intake;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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

  /** What the ids of one second have in common, which are whole groups of three bytes. */
  private static final int COMMON = SECOND + DIGEST - 1;

  private final byte[] start = new byte[COMMON];
  private final byte lastOfDigest;
  private long second = Long.MIN_VALUE;
  private String common = "";

  /** Ids for this body. */
  public BatchIds(byte[] body) {
    try {
      byte[] sha = MessageDigest.getInstance("SHA-256").digest(body);
      System.arraycopy(sha, 0, start, SECOND, DIGEST - 1);
      lastOfDigest = sha[DIGEST - 1];
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
      common = TEXT.encodeToString(start);
    }
    return common + TEXT.encodeToString(end(place));
  }

  /** Two bytes of a place, or five where they do not suffice; the digest's last before them. */
  private byte[] end(int place) {
    int bytes = place >>> Short.SIZE == 0 ? 2 : 5;
    byte[] end = new byte[1 + bytes];
    end[0] = lastOfDigest;
    for (int i = 0; i < Math.min(bytes, Integer.BYTES); i++) {
      end[bytes - i] = (byte) (place >>> 8 * i);
    }
    return end;
  }

  /** The id of a record without a time, another one each time. */
  public String fresh() {
    return UUIDs.base64UUID();
  }
}
