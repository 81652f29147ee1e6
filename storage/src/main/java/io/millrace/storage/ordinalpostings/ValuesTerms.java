package io.millrace.storage.ordinalpostings;

import io.millrace.kernel.postings.DocsOnlyTerms;
import java.io.IOException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.TermsEnum;

/** The terms of a field as its doc values have them; every statistic is that of postings. */
final class ValuesTerms extends DocsOnlyTerms {
  private final OrdinalListsProducer values;
  private final FieldInfo field;
  private final OrdinalLists lists;

  /**
   * @throws CorruptIndexException if the doc values have another number of terms than the lists
   */
  ValuesTerms(OrdinalListsProducer values, FieldInfo field, OrdinalLists lists) throws IOException {
    this.values = values;
    this.field = field;
    this.lists = lists;
    long terms = values.getSortedSet(field).getValueCount();
    if (terms != lists.terms) {
      throw new CorruptIndexException(
          "lists of " + lists.terms + " terms beside doc values of " + terms, field.name);
    }
  }

  @Override
  public TermsEnum iterator() {
    return new ValuesTermsEnum(() -> values.getSortedSet(field), lists);
  }

  @Override
  public long size() {
    return lists.terms;
  }

  @Override
  public long getSumDocFreq() {
    return lists.entries;
  }

  @Override
  public int getDocCount() {
    return lists.documents;
  }
}
