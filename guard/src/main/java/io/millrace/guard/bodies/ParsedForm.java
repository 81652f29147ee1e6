package io.millrace.guard.bodies;

import java.io.IOException;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefIterator;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;

/**
 * How many bytes of heap a text of JSON takes as maps and lists (AbstractXContentParser#map at
 * 3.8.0), told by its structure alone: nothing is parsed and nothing kept. {@code {}} is two bytes
 * and becomes a map of 56.
 *
 * <p>The figures are the sizes of the objects with compressed pointers, and what their tables have
 * spare while they grow. A text that is no JSON gets some figure; stock words its error.
 */
final class ParsedForm {
  /** More bytes than one byte of a body can become: {@code {"":0},} is 256 for 7. */
  static final int WORST = 40;

  private static final int MAP = 64;
  private static final int TABLE = 80; // with the first entry
  private static final int LIST = 24;
  private static final int SLOTS = 56; // with the first value
  private static final int ENTRY = 56; // with its part of the table
  private static final int VALUE = 24; // a number, and its place in a list
  private static final int STRING = 48;

  private final boolean texts;
  private long bytes;
  private boolean inString;
  private boolean escaped;
  private byte last; // outside of strings, no white space
  private int depth;
  private boolean begins; // the next byte is the first of a text
  private boolean key; // of the outermost object
  private boolean scripted;

  /** Of a body whose texts stay texts. */
  ParsedForm() {
    this(false);
  }

  /**
   * @param texts whether the texts in it may be parsed, too, as a processor {@code json} does
   */
  ParsedForm(boolean texts) {
    this.texts = texts;
  }

  /** What the text takes that was added so far. */
  long bytes() {
    return bytes;
  }

  /** Whether a key of the outermost object may be {@code script}: it begins so, or is escaped. */
  boolean scripted() {
    return scripted;
  }

  /** The next part of the text. */
  void add(byte[] text, int from, int to) {
    long sum = bytes;
    for (int i = from; i < to; i++) {
      byte b = text[i];
      if (inString) {
        if (begins) { // every empty text is the same one
          begins = false;
          sum += b == '"' ? 0 : STRING;
          scripted |= key && (b == 's' || b == '\\');
        }
        sum += b < 0 ? 2 : texts ? inText(b) : 1;
        if (escaped) {
          escaped = false;
        } else if (b == '\\') {
          escaped = true;
        } else if (b == '"') {
          inString = false;
        }
      } else if (b > ' ') {
        sum += structure(b);
        last = b;
      }
    }
    bytes = sum;
  }

  private static int inText(byte b) {
    return switch (b) {
      case '{' -> MAP;
      case '[', ',' -> LIST;
      default -> 1;
    };
  }

  private int structure(byte b) {
    boolean opened = last == '{' || last == '[';
    switch (b) {
      case '{':
        depth++;
        return MAP + slots();
      case '[':
        depth++;
        return LIST + slots();
      case '}', ']':
        depth--;
        return 0;
      case '"':
        inString = true;
        begins = true;
        key = depth == 1 && (last == '{' || last == ',');
        return slots();
      case ':':
        return ENTRY;
      case ',':
        return VALUE;
      default:
        return opened ? slots() : 0; // a number, true, false or null
    }
  }

  /** What the first value of a list or of a map adds to it. */
  private int slots() {
    return last == '[' ? SLOTS : last == '{' ? TABLE : 0;
  }

  /**
   * What a body takes.
   *
   * @param type of the body; every format but JSON is read token by token
   */
  static long of(BytesReference body, MediaType type) {
    return of(body, type, false);
  }

  /**
   * The same of a body for a pipeline, whose texts may be parsed, too. Those of other formats than
   * JSON count as texts only.
   */
  static long ofPiped(BytesReference body, MediaType type) {
    return of(body, type, true);
  }

  private static long of(BytesReference body, MediaType type, boolean texts) {
    return type == XContentType.JSON ? ofJson(body, texts) : ofTokens(body, type);
  }

  private static long ofJson(BytesReference body, boolean texts) {
    ParsedForm form = new ParsedForm(texts);
    BytesRefIterator parts = body.iterator();
    try {
      for (BytesRef part = parts.next(); part != null; part = parts.next()) {
        form.add(part.bytes, part.offset, part.offset + part.length);
      }
    } catch (IOException e) {
      throw new AssertionError("bytes in memory have nothing to fail at", e);
    }
    return form.bytes();
  }

  /** Binary formats and YAML write an empty map in one or two bytes, and have no marks to count. */
  private static long ofTokens(BytesReference body, MediaType type) {
    long sum = 0;
    try (XContentParser parser =
        type.xContent()
            .createParser(
                NamedXContentRegistry.EMPTY,
                DeprecationHandler.IGNORE_DEPRECATIONS,
                body.streamInput())) {
      for (XContentParser.Token token = parser.nextToken();
          token != null;
          token = parser.nextToken()) {
        sum +=
            switch (token) {
              case START_OBJECT -> MAP + TABLE;
              case START_ARRAY -> LIST + SLOTS;
              case FIELD_NAME -> ENTRY + STRING + parser.currentName().length();
              case VALUE_STRING -> VALUE + STRING + parser.textLength();
              case END_OBJECT, END_ARRAY -> 0;
              default -> VALUE;
            };
      }
    } catch (IOException | RuntimeException e) {
      return sum; // what stock parses until it finds the same fault
    }
    return sum;
  }
}
