package io.millrace.pipelines.intake;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import org.opensearch.common.UUIDs;

/**
 * Ids of the documents of one body: its digest and the place in it. Who sends the same body again,
 * because the answer got lost, writes nothing twice.
 *
 * <p>A record without a time of its own gets an id of its own instead: two bodies that hold the
 * same such records need not be the same batch.
 */
public final class BatchIds {
  private final String digest;

  /** Ids for this body. */
  public BatchIds(byte[] body) {
    try {
      byte[] sha = MessageDigest.getInstance("SHA-256").digest(body);
      digest = Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(sha, 15));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * The id of a record.
   *
   * @param place its number in the body
   * @param timed whether it has a time of its own
   */
  public String of(int place, boolean timed) {
    return timed ? digest + Integer.toString(place, 36) : UUIDs.base64UUID();
  }
}
