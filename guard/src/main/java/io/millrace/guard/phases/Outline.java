package io.millrace.guard.phases;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.text.Text;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * The number that searches have in common which differ at most in the words, times and numbers that
 * they look for: those count by their length, all else as it is.
 *
 * <p>A search knows how to write itself to a stream. This is a stream that keeps nothing but the
 * number, which is several times cheaper than the JSON: no text is made and nothing is allocated
 * for what is written.
 */
final class Outline extends StreamOutput {
  private static final int WORD = 1_000;
  private static final int NUMBER = 2_000;
  private static final int OTHER = 3_000;

  private long hash;

  /** Of a plain value; a run of alike values counts once, by its magnitude. */
  private long lastValue;

  private int alike;

  private Outline(long seed) {
    hash = seed;
  }

  /**
   * Of a search.
   *
   * @param seed of the caller, so that nobody outside can tell which searches collide
   * @throws IOException or any other exception, when the search cannot be written
   */
  static long of(SearchSourceBuilder source, long seed) throws IOException {
    Outline outline = new Outline(seed);
    source.writeTo(outline);
    outline.endOfRun();
    return outline.hash;
  }

  private void mix(long value) {
    if (alike > 0) {
      endOfRun();
    }
    stir(value);
  }

  private void stir(long value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15L;
    hash ^= hash >>> 29;
  }

  private void value(long kind) {
    if (alike > 0 && lastValue != kind) {
      endOfRun();
    }
    lastValue = kind;
    alike++;
  }

  private void endOfRun() {
    int run = alike;
    alike = 0;
    if (run > 0) {
      stir(lastValue);
      stir(magnitude(run));
    }
  }

  /** Sizes of one power of two are alike. */
  private static int magnitude(int size) {
    return 32 - Integer.numberOfLeadingZeros(size);
  }

  private static int digits(long number) {
    int digits = number < 0 ? 2 : 1;
    for (long left = number / 10; left != 0; left /= 10) {
      digits++;
    }
    return digits;
  }

  /** What is searched for is written by this method, whatever it is. */
  @Override
  public void writeGenericValue(@Nullable Object value) {
    switch (value) {
      case String word -> value(WORD + magnitude(word.length()));
      case BytesRef word -> value(WORD + magnitude(word.length));
      case BytesReference word -> value(WORD + magnitude(word.length()));
      case Double number -> value(NUMBER + number.toString().length());
      case Float number -> value(NUMBER + number.toString().length());
      case Number number -> value(NUMBER + digits(number.longValue()));
      case Map<?, ?> members -> {
        mix('{');
        members.forEach((key, member) -> {
          mix(String.valueOf(key).hashCode());
          writeGenericValue(member);
        });
        mix('}');
      }
      case Collection<?> members -> {
        mix('[');
        members.forEach(this::writeGenericValue);
        mix(']');
      }
      case Object[] members -> {
        mix('[');
        for (Object member : members) {
          writeGenericValue(member);
        }
        mix(']');
      }
      case null -> mix(0);
      default -> value(OTHER + value.getClass().hashCode());
    }
  }

  @Override
  public void writeString(String text) {
    mix(text.hashCode());
    mix(text.length());
  }

  @Override
  public void writeText(Text text) {
    writeString(text.string());
  }

  /** Documents and vectors. */
  @Override
  public void writeBytesReference(@Nullable BytesReference bytes) {
    value(WORD + magnitude(bytes == null ? 0 : bytes.length()));
  }

  @Override
  public void writeBytesRef(@Nullable BytesRef bytes) {
    value(WORD + magnitude(bytes == null ? 0 : bytes.length));
  }

  @Override
  public void writeByte(byte b) {
    mix(b);
  }

  @Override
  public void writeBytes(byte[] b, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      mix(b[i]);
    }
  }

  @Override
  public void writeInt(int i) {
    mix(i);
  }

  @Override
  public void writeVInt(int i) {
    mix(i);
  }

  @Override
  public void writeLong(long i) {
    mix(i);
  }

  @Override
  public void writeVLong(long i) {
    mix(i);
  }

  @Override
  public void writeZLong(long i) {
    mix(i);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}

  @Override
  public void reset() {}
}
