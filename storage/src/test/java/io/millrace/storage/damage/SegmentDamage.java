package io.millrace.storage.damage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.function.ToIntFunction;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.store.Directory;

/**
 * Damages the files of a segment, one at a time, and reads what is left.
 *
 * @param files of a sound index, by name
 * @param reading reads as searches do, without checksums of whole files
 */
public record SegmentDamage(Map<String, byte[]> files, Reading reading) {
  /** How a damaged index was read. */
  public enum Outcome {
    /** It gave what is in it: the damage is nowhere where this reads. */
    SOUND,
    /** Lucene's own kind of error. */
    REFUSED,
    /** An IOException that Lucene has no word of damage for. */
    UNNAMED,
    /** An unchecked exception, which came from Lucene's code. */
    UNTIDY,
    /** It gave something else than was written. */
    WRONG
  }

  /** Reads an index. */
  @FunctionalInterface
  public interface Reading {
    /** False when it gave something else than was written. */
    boolean right(DirectoryReader reader) throws IOException;
  }

  /** Is told of a read without the check of merges, recoveries and snapshots. */
  @FunctionalInterface
  public interface Unchecked {
    /**
     * @param name of the damaged file
     * @param what was done to it
     */
    void read(String name, String what, Outcome outcome);
  }

  /**
   * Flips single bits: the check that merges, recoveries and snapshots run must find each.
   *
   * @param most flips of a file, by its name
   */
  public void flipBits(ToIntFunction<String> most, Unchecked unchecked) throws IOException {
    Random random = new Random(3);
    for (String name : files.keySet()) {
      int bits = files.get(name).length * 8;
      for (int i = 0; i < Math.min(bits, most.applyAsInt(name)); i++) {
        int bit = random.nextInt(bits);
        byte[] damaged = flipped(name, bit);
        String what = name + " bit " + bit;
        assertEquals(Outcome.REFUSED, read(name, damaged, true, what), what);
        unchecked.read(name, what, read(name, damaged, false, what));
      }
    }
  }

  /** Cuts every file at as many places: none of them may open. */
  public void cut(int places) throws IOException {
    for (String name : files.keySet()) {
      byte[] sound = files.get(name);
      for (int keep = 0; keep < sound.length; keep += Math.max(1, sound.length / places)) {
        String what = name + " cut to " + keep;
        assertEquals(Outcome.REFUSED, read(name, Arrays.copyOf(sound, keep), false, what), what);
      }
    }
  }

  /** A file with one bit turned. */
  public byte[] flipped(String name, int bit) {
    byte[] damaged = files.get(name).clone();
    damaged[bit / 8] ^= (byte) (1 << (bit % 8));
    return damaged;
  }

  /** The file whose name ends so. */
  public String named(String end) {
    return files.keySet().stream().filter(each -> each.endsWith(end)).findFirst().orElseThrow();
  }

  /**
   * Reads the index with one file replaced; fails when our own code lets another exception out than
   * Lucene's for damage.
   */
  public Outcome read(String name, byte[] content, boolean checkFirst, String what)
      throws IOException {
    try (Directory directory = SegmentFiles.with(files, name, content);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      if (checkFirst) {
        for (LeafReaderContext leaf : reader.leaves()) {
          leaf.reader().checkIntegrity();
        }
      }
      return reading.right(reader) ? Outcome.SOUND : Outcome.WRONG;
    } catch (CorruptIndexException
        | EOFException
        | IndexFormatTooNewException
        | IndexFormatTooOldException e) {
      return Outcome.REFUSED;
    } catch (IOException | RuntimeException | AssertionError e) {
      // Lucene's reader met a damaged structure; never our own code
      if (e.getStackTrace()[0].getClassName().startsWith("io.millrace")) {
        return fail(what + " escaped our own checks", e);
      }
      return e instanceof IOException ? Outcome.UNNAMED : Outcome.UNTIDY;
    }
  }
}
