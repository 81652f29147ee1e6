package io.millrace.cli.ingest;

import io.millrace.corpus.JsonBuffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Document ids that are the same when the same file is read again: 4 bytes for the file (path and
 * inode), 5 for the place in it, 6 of the content's SHA-256; 20 characters, as long as the ids a
 * node makes.
 *
 * <p>Why all three: the place keeps equal lines apart, the content keeps a rewritten file apart,
 * and ids that rise with the place let Lucene rule out most segments by their smallest and largest
 * term. Standard input has no identity: its ids are unique per run.
 */
final class DocumentIds {
  private final MessageDigest sha = sha256();
  private final byte[] id = new byte[15];

  /**
   * Starts an input.
   *
   * @param fileKey device and inode of the file that is being read; null: of the one that the
   *     input's name points to
   */
  void input(Input input, @Nullable Object fileKey) {
    Object file = fileKey == null ? inode(input) : fileKey;
    String identity = input.identity() + ' ' + (input.isFile() ? file : UUID.randomUUID());
    byte[] hash = sha.digest(identity.getBytes(StandardCharsets.UTF_8));
    System.arraycopy(hash, 0, id, 0, 4);
  }

  private static String inode(Input input) {
    try {
      Path path = Path.of(input.identity());
      return String.valueOf(Files.readAttributes(path, BasicFileAttributes.class).fileKey());
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Appends the id of the content at this place.
   *
   * @param content what the input holds there, not what is made of it: a time of ingestion or an
   *     option of one run must not make a new id
   */
  void write(JsonBuffer out, long place, byte[] content, int from, int length) {
    sha.update(content, from, length);
    byte[] hash = sha.digest();
    for (int i = 0; i < 5; i++) {
      id[4 + i] = (byte) (place >>> (32 - 8 * i));
    }
    System.arraycopy(hash, 0, id, 9, 6);
    out.raw(Base64.getUrlEncoder().encode(id));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
