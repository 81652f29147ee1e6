package io.millrace.storage.damage;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.storage.damage.SegmentDamage.Outcome;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.StoredFields;

/**
 * Reads {@code _id} and {@code _source} of documents whose ids are their places.
 *
 * @param documents the sources that were written
 * @param step every so many documents are read
 */
public record StoredDocuments(List<byte[]> documents, int step) implements SegmentDamage.Reading {
  @Override
  public boolean right(DirectoryReader reader) throws IOException {
    if (reader.maxDoc() != documents.size()) {
      return false;
    }
    StoredFields stored = reader.storedFields();
    for (int i = 0; i < documents.size(); i += step) {
      Document document = stored.document(i);
      if (!Integer.toString(i).equals(document.get("_id"))
          || document.getBinaryValue("_source") == null
          || !Arrays.equals(documents.get(i), document.getBinaryValue("_source").bytes)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Flips bits of a segment. A read without the check gives the right documents or is refused,
   * unless the damage is in {@code .fdt}, which Lucene's own reader reads; at most one in a hundred
   * of all reads ends otherwise.
   *
   * @param most flips of a file, by its name
   * @param lucenes how such reads of that file may end
   */
  public static void flipBits(
      SegmentDamage damage, ToIntFunction<String> most, Set<Outcome> lucenes) throws IOException {
    Set<Outcome> escapes = EnumSet.complementOf(EnumSet.of(Outcome.SOUND, Outcome.REFUSED));
    Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    damage.flipBits(
        most,
        (name, what, outcome) -> {
          outcomes.merge(outcome, 1, Integer::sum);
          assertTrue(
              !escapes.contains(outcome) || (name.endsWith(".fdt") && lucenes.contains(outcome)),
              what + " was " + outcome);
        });
    int reads = outcomes.values().stream().mapToInt(Integer::intValue).sum();
    int escaped = escapes.stream().mapToInt(each -> outcomes.getOrDefault(each, 0)).sum();
    assertTrue(escaped <= reads / 100, outcomes.toString());
  }
}
