package io.millrace.write.fastengine;

import java.util.List;
import org.apache.lucene.index.IndexableField;

/**
 * Booleans as JSON booleans or as the strings {@code "true"} and {@code "false"}.
 *
 * <p>Stock: BooleanFieldMapper.java, parseCreateField at 3.8.0. There are only two values, so their
 * Lucene fields are made once and never change.
 */
final class BooleanWriter implements FieldWriter {
  private final List<IndexableField> whenTrue;
  private final List<IndexableField> whenFalse;

  BooleanWriter(List<IndexableField> whenTrue, List<IndexableField> whenFalse) {
    this.whenTrue = List.copyOf(whenTrue);
    this.whenFalse = List.copyOf(whenFalse);
  }

  @Override
  public boolean write(JsonBytes json, Kind kind, List<IndexableField> out) {
    boolean value;
    switch (kind) {
      case TRUE -> value = true;
      case FALSE -> value = false;
      case STRING -> {
        value = is(json, "true");
        if (!value && !is(json, "false")) {
          return false;
        }
      }
      default -> {
        return false;
      }
    }
    out.addAll(value ? whenTrue : whenFalse);
    return true;
  }

  private static boolean is(JsonBytes json, String word) {
    if (json.length != word.length()) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (json.text[json.offset + i] != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
