package io.millrace.write.fastengine;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.IndexableField;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.XContentConstraints;

/**
 * Reads one JSON document along a plan and collects its Lucene fields; one reader per thread.
 *
 * <p>Whatever is not plainly covered stops the reading with a {@link Fallback}; then nothing that
 * was collected is used. Names are first compared with the name that followed last time, as
 * documents of one source repeat their order; duplicate names, which stock refuses
 * (STRICT_DUPLICATE_DETECTION, JsonXContent#jsonFactory at 3.8.0), are seen by a stamp per name
 * that is new for every object.
 */
final class DocumentReader {
  /** Deeper documents go to stock, whatever the index allows: this reader recurses. */
  static final int DEEPEST = Math.min(64, XContentConstraints.DEFAULT_MAX_DEPTH);

  private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

  /** More unmapped names on the way to one value are left to stock. */
  private static final int MOST_UNMAPPED = 32;

  private static final int LONGEST_SKIPPED_NUMBER = 100;

  /** Bytes of an unmapped name; stock refuses 50,001 unless told otherwise. */
  private static final int LONGEST_NAME = Math.min(4096, XContentConstraints.DEFAULT_MAX_NAME_LEN);

  private final JsonBytes json = new JsonBytes();
  private final int[] unmappedStarts = new int[MOST_UNMAPPED];
  private final int[] unmappedEnds = new int[MOST_UNMAPPED];
  private int unmapped;
  private List<IndexableField> fields = List.of();
  private int[] seen = new int[64];
  private ObjectNode.@Nullable Child[] successors = new ObjectNode.Child[64];
  private int stamp;
  private int timestamps;
  private int objects;
  private int arrays;
  private int deepest;
  private @Nullable Fallback fallback;

  /**
   * Reads a document and adds its fields.
   *
   * @param into gets the fields; of no use if the document was not covered
   * @param limit how deep objects, and arrays, may be nested ({@code index.mapping.depth.limit})
   * @return null if everything was covered
   */
  @Nullable Fallback read(
      DocumentPlan plan,
      List<IndexableField> into,
      byte[] bytes,
      int offset,
      int length,
      long limit) {
    ObjectNode root = plan.root();
    if (root == null) {
      return Fallback.MAPPING;
    }
    fields = into;
    prepare(plan.slots());
    deepest = (int) Math.min(limit, DEEPEST);
    json.start(bytes, offset, length);
    if (!json.take('{')) {
      return Fallback.SYNTAX;
    }
    if (!object(root)) {
      return fallback;
    }
    json.peek();
    if (json.position != json.end) {
      return Fallback.SYNTAX;
    }
    return plan.needsTimestamp() && timestamps != 1 ? Fallback.TIMESTAMP : null;
  }

  /** Lets go of the document that was read. */
  void forget() {
    fields = List.of();
    json.forget();
  }

  /** Bytes of a document that it still refers to. */
  int held() {
    return json.source.length + json.text.length;
  }

  private void prepare(int slots) {
    if (seen.length < slots) {
      seen = new int[slots];
      successors = new ObjectNode.Child[slots];
      stamp = 0;
    }
    timestamps = 0;
    unmapped = 0;
    objects = 0;
    arrays = 0;
    fallback = null;
  }

  private int nextStamp() {
    if (stamp == Integer.MAX_VALUE) {
      Arrays.fill(seen, 0);
      // objects that are still open keep stamps that no later object gets
      stamp = DEEPEST;
    }
    return ++stamp;
  }

  private boolean doubt(Fallback why) {
    fallback = why;
    return false;
  }

  private boolean object(ObjectNode node) {
    if (++objects > deepest) {
      return doubt(Fallback.LIMIT);
    }
    int mine = nextStamp();
    int previous = node.slot();
    int unmappedBefore = unmapped;
    if (json.peek() == '}') {
      json.position++;
      objects--;
      return true;
    }
    while (true) {
      if (!json.take('"')) {
        return doubt(Fallback.SYNTAX);
      }
      ObjectNode.Child child = name(node, successors[previous]);
      if (child == null) {
        if (fallback != null || !unmapped(node, unmappedBefore)) {
          return false;
        }
      } else {
        successors[previous] = child;
        previous = child.slot();
        if (seen[previous] == mine) {
          return doubt(Fallback.DUPLICATE_KEY);
        }
        seen[previous] = mine;
        if (!json.take(':')) {
          return doubt(Fallback.SYNTAX);
        }
        if (!value(child)) {
          return false;
        }
      }
      if (json.take(',')) {
        continue;
      }
      if (json.take('}')) {
        objects--;
        unmapped = unmappedBefore;
        return true;
      }
      return doubt(Fallback.SYNTAX);
    }
  }

  /**
   * Reads a name; null with a fallback if it is not plain, null without one if it is not mapped.
   */
  private ObjectNode.@Nullable Child name(ObjectNode node, ObjectNode.@Nullable Child expected) {
    byte[] bytes = json.source;
    int start = json.position;
    if (expected != null && expected.in(node) && expected.at(bytes, start, json.end)) {
      json.position = start + expected.name.length + 1;
      return expected;
    }
    int p = start;
    while (p < json.end && bytes[p] != '"') {
      if (bytes[p] == '\\' || (bytes[p] >= 0 && bytes[p] < ' ')) {
        doubt(Fallback.SYNTAX);
        return null;
      }
      p++;
    }
    if (p >= json.end) {
      doubt(Fallback.SYNTAX);
      return null;
    }
    if (p - start > LONGEST_NAME) {
      doubt(Fallback.LIMIT);
      return null;
    }
    json.position = p + 1;
    ObjectNode.Child child = node.find(bytes, start, p - start);
    if (child == null && unmapped < MOST_UNMAPPED) {
      unmappedStarts[unmapped] = start;
      unmappedEnds[unmapped] = p;
    }
    return child;
  }

  /**
   * Skips a scalar under a name that is not mapped, where stock ignores it
   * (DocumentParser.parseDynamicValue and parseNullValue at 3.8.0): plain names only, as a dotted
   * one may lead elsewhere and one with an underscore in front may be metadata.
   */
  private boolean unmapped(ObjectNode node, int before) {
    if (!node.ignoresUnmapped() || unmapped == MOST_UNMAPPED) {
      return doubt(Fallback.UNKNOWN_FIELD);
    }
    byte[] bytes = json.source;
    int start = unmappedStarts[unmapped];
    int end = unmappedEnds[unmapped];
    if (start == end || bytes[start] == '_') {
      return doubt(Fallback.UNKNOWN_FIELD);
    }
    for (int i = start; i < end; i++) {
      if (bytes[i] == '.' || bytes[i] < 0) {
        return doubt(Fallback.UNKNOWN_FIELD);
      }
    }
    for (int i = before; i < unmapped; i++) {
      if (Arrays.equals(bytes, unmappedStarts[i], unmappedEnds[i], bytes, start, end)) {
        return doubt(Fallback.DUPLICATE_KEY);
      }
    }
    unmapped++;
    if (!json.take(':')) {
      return doubt(Fallback.SYNTAX);
    }
    boolean skipped =
        switch (json.peek()) {
          case '"' -> {
            json.position++;
            yield json.string();
          }
          case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' ->
              json.number() && json.length <= LONGEST_SKIPPED_NUMBER;
          case 't' -> json.word(TRUE);
          case 'f' -> json.word(FALSE);
          case 'n' -> json.word(NULL);
          default -> false;
        };
    return skipped || doubt(Fallback.UNKNOWN_FIELD);
  }

  private boolean value(ObjectNode.Child child) {
    switch (json.peek()) {
      case '"' -> {
        json.position++;
        return json.string() ? scalar(child, FieldWriter.Kind.STRING) : doubt(Fallback.SYNTAX);
      }
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> {
        return json.number() ? scalar(child, FieldWriter.Kind.NUMBER) : doubt(Fallback.SYNTAX);
      }
      case '{' -> {
        json.position++;
        return child.object != null ? object(child.object) : doubt(uncovered(child));
      }
      case '[' -> {
        json.position++;
        return array(child);
      }
      case 't' -> {
        return json.word(TRUE) ? scalar(child, FieldWriter.Kind.TRUE) : doubt(Fallback.SYNTAX);
      }
      case 'f' -> {
        return json.word(FALSE) ? scalar(child, FieldWriter.Kind.FALSE) : doubt(Fallback.SYNTAX);
      }
      case 'n' -> {
        if (!json.word(NULL)) {
          return doubt(Fallback.SYNTAX);
        }
        boolean nothing =
            child.object != null || (child.field != null && child.field.nullIsNothing());
        return nothing || doubt(uncovered(child));
      }
      default -> {
        return doubt(Fallback.SYNTAX);
      }
    }
  }

  private static Fallback uncovered(ObjectNode.Child child) {
    return child.object == null && child.field == null
        ? Fallback.UNSUPPORTED_FIELD
        : Fallback.VALUE;
  }

  private boolean scalar(ObjectNode.Child child, FieldWriter.Kind kind) {
    PlannedField field = child.field;
    if (field == null || !field.write(json, kind, fields)) {
      return doubt(uncovered(child));
    }
    if (field.timestamp()) {
      timestamps++;
    }
    return true;
  }

  private boolean array(ObjectNode.Child child) {
    if (++arrays > deepest) {
      return doubt(Fallback.LIMIT);
    }
    // even an empty array of an unsupported type may mean something to its mapper
    if (child.object == null && child.field == null) {
      return doubt(Fallback.UNSUPPORTED_FIELD);
    }
    if (json.take(']')) {
      arrays--;
      return true;
    }
    while (true) {
      if (!value(child)) {
        return false;
      }
      if (json.take(',')) {
        continue;
      }
      if (json.take(']')) {
        arrays--;
        return true;
      }
      return doubt(Fallback.SYNTAX);
    }
  }
}
