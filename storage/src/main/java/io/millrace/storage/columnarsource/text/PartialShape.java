package io.millrace.storage.columnarsource.text;

import io.millrace.kernel.slot.PartialSource;
import io.millrace.kernel.slot.PartialSource.Part;
import io.millrace.storage.columnarsource.bytes.ByteSink;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A shape without the fields that a reader does without, and which of its values are left. */
public final class PartialShape {
  /** Deeper ones are given whole: this class recurses. OpenSearch takes 1,000 levels. */
  private static final int DEEPEST = 1_000;

  private final byte[] text;
  private final PartialSource wanted;
  private final ByteSink left;
  private boolean[] kept = new boolean[64];
  private int holes;
  private int strings; // that are left, and the place of the last one
  private int lastString;
  private int bare; // values that are left
  private int at;
  private int depth;

  private PartialShape(byte[] text, PartialSource wanted) {
    this.text = text;
    this.wanted = wanted;
    left = new ByteSink(256);
  }

  /**
   * Takes the wanted fields of a shape.
   *
   * @return null where the shape is not that of a JSON object
   */
  public static @Nullable PartialShape of(byte[] shape, PartialSource wanted) {
    PartialShape partial = new PartialShape(shape, wanted);
    if (partial.peek() != '{' || !partial.object("", Part.SOME)) {
      return null;
    }
    return partial.peek() < 0 ? partial : null;
  }

  /** What is left, marked as {@link JsonShape#shape} is. */
  public ByteSink left() {
    return left;
  }

  /** Whether a value of the whole shape is left, by its place there. */
  public boolean keeps(int hole) {
    return kept[hole];
  }

  /** The place of the only value that is left, if that is a string; -1 otherwise. */
  public int onlyString() {
    return strings == 1 && bare == 0 ? lastString : -1;
  }

  /** Values of the whole shape. */
  public int holes() {
    return holes;
  }

  private boolean value(String path, Part part) {
    switch (peek()) {
      case JsonShape.STRING, JsonShape.BARE -> {
        if (holes == kept.length) {
          kept = Arrays.copyOf(kept, 2 * holes);
        }
        if (part != Part.NONE) {
          if (text[at] == JsonShape.STRING) {
            strings++;
            lastString = holes;
          } else {
            bare++;
          }
        }
        kept[holes++] = part != Part.NONE;
        return take(part);
      }
      case '{' -> {
        return object(path, part);
      }
      case '[' -> {
        return list(path, part);
      }
      default -> {
        return false;
      }
    }
  }

  private boolean object(String path, Part part) {
    take(part);
    if (++depth > DEEPEST) {
      return false;
    }
    boolean any = false;
    while (peek() == '"') {
      int close = JsonShape.closingQuote(text, at + 1, text.length);
      if (close < 0) {
        return false;
      }
      // keys with escapes are given without a look at what they say
      String child =
          part == Part.SOME && !escapes(at + 1, close) ? path(path, at + 1, close) : null;
      Part own = child == null ? all(part) : wanted.part(child);
      if (own != Part.NONE) {
        if (any) {
          left.writeByte(',');
        }
        any = true;
        left.write(text, at, close + 1 - at);
      }
      at = close + 1;
      if (peek() != ':') {
        return false;
      }
      take(own);
      if (!value(child == null ? "" : child, own)) {
        return false;
      }
      if (peek() != ',') {
        break;
      }
      at++;
      if (peek() != '"') {
        return false;
      }
    }
    depth--;
    return peek() == '}' && take(part);
  }

  private boolean list(String path, Part part) {
    take(part);
    if (++depth > DEEPEST) {
      return false;
    }
    if (peek() != ']') {
      while (true) {
        if (!value(path, part)) {
          return false;
        }
        if (peek() != ',') {
          break;
        }
        take(part);
      }
    }
    depth--;
    return peek() == ']' && take(part);
  }

  private static Part all(Part part) {
    return part == Part.NONE ? Part.NONE : Part.ALL;
  }

  private String path(String above, int from, int to) {
    String key = new String(text, from, to - from, StandardCharsets.UTF_8);
    return above.isEmpty() ? key : above + '.' + key;
  }

  private boolean escapes(int from, int to) {
    for (int i = from; i < to; i++) {
      if (text[i] == '\\') {
        return true;
      }
    }
    return false;
  }

  /** The next byte that is no white space, -1 at the end. */
  private int peek() {
    while (at < text.length) {
      byte c = text[at];
      if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
        return c;
      }
      at++;
    }
    return -1;
  }

  private boolean take(Part part) {
    if (part != Part.NONE) {
      left.writeByte(text[at]);
    }
    at++;
    return true;
  }
}
