package io.millrace.cli.ingest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What the lines of an input are. */
enum Format {
  /** Decide by the first line that is not blank. */
  AUTO,
  /** One JSON document per line. */
  NDJSON,
  /** The body of a bulk request: action lines, each followed by its document. */
  BULK,
  /** Plain log lines. */
  LINES,
  /** What AUTO becomes: each line by itself is a JSON document or a plain line. */
  MIXED;

  private static final JsonFactory JSON = new JsonFactory();
  private static final Set<String> ACTIONS = Set.of("index", "create", "update", "delete");

  /**
   * The format of an input that begins with this line.
   *
   * @throws ExpectedFailure when it is JSON over several lines
   */
  static Format of(String line, String name) {
    String text = line.strip();
    if (text.equals("{") || text.equals("[") || text.startsWith("[{")) {
      throw new ExpectedFailure(
          ExitCode.INPUT,
          name + " is JSON over several lines or an array; one document per line is needed",
          "Convert it: jq -c '.[]?' " + name + " (an array) or jq -c . " + name + ".");
    }
    return isObject(text) && action(text) != null ? BULK : MIXED;
  }

  /** Whether a line looks like a JSON object. */
  static boolean isObject(String line) {
    int at = 0;
    while (at < line.length() && line.charAt(at) <= ' ') {
      at++;
    }
    if (at == line.length() || line.charAt(at) != '{') {
      return false;
    }
    at++;
    while (at < line.length() && line.charAt(at) <= ' ') {
      at++;
    }
    return at < line.length() && (line.charAt(at) == '"' || line.charAt(at) == '}');
  }

  /** Whether these bytes begin as a JSON object does. */
  static boolean isObject(byte[] line, int length) {
    return length > 1 && line[0] == '{' && (line[1] == '"' || line[1] == '}');
  }

  /** The bulk action that a line names, or null when it is no action line. */
  static @Nullable String action(String line) {
    try (JsonParser parser = JSON.createParser(line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT
          || parser.nextToken() != JsonToken.FIELD_NAME) {
        return null;
      }
      String name = parser.currentName();
      if (!ACTIONS.contains(name) || parser.nextToken() != JsonToken.START_OBJECT) {
        return null;
      }
      parser.skipChildren();
      return parser.nextToken() == JsonToken.END_OBJECT ? name : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** Whether any input begins with a bulk action; standard input cannot be looked at beforehand. */
  static boolean anyBulk(List<Input> inputs) {
    return inputs.stream().filter(Input::isFile).anyMatch(Format::beginsWithAction);
  }

  private static boolean beginsWithAction(Input input) {
    try (InputStream in = input.open(new LongAdder())) {
      LineReader lines = new LineReader(in, 1 << 16);
      return lines.next() == LineReader.Kind.LINE
          && action(new String(lines.array(), 0, lines.length(), StandardCharsets.UTF_8)) != null;
    } catch (IOException e) {
      return false; // reading it will say so
    }
  }
}
