package io.millrace.storage.columnarsource.column;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.columnarsource.section.SectionReader;
import io.millrace.storage.columnarsource.segment.DictionaryReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The templates that one block refers to; their texts are read from the segment's dictionary when a
 * message needs them.
 */
public final class BlockTemplates {
  private @Nullable DictionaryReader dictionary;
  private int[] references = {};
  private int count;
  private int taken;

  /** Whose dictionary is read from now on; readers of one block have one each. */
  public void use(@Nullable DictionaryReader newDictionary) {
    dictionary = newDictionary;
  }

  /** Begins a block that refers to these entries of the dictionary. */
  public void open(int[] newReferences, int newCount) {
    references = newReferences;
    count = newCount;
    taken = 0;
  }

  /** The next share of the references; columns take theirs in the order of writing. */
  int take(int templates) {
    SectionReader.require(templates >= 0 && templates <= count - taken, "templates", templates);
    int base = taken;
    taken += templates;
    return base;
  }

  /** The place in the segment's dictionary of a template that the block refers to. */
  int place(int reference) {
    return references[reference];
  }

  /** Puts the text of a template in place of what the sink holds. */
  void text(int reference, ByteSink out) {
    try {
      Objects.requireNonNull(dictionary).template(references[reference], out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
