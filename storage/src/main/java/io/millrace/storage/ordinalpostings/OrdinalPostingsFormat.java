package io.millrace.storage.ordinalpostings;

import java.io.IOException;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;

/**
 * Postings that are a view of doc values. This comment is the specification of {@code
 * MillraceOrdinalPostings1050}.
 *
 * <h2>Principle</h2>
 *
 * An indexed keyword has two dictionaries of the same terms: one for search with the documents of
 * each term, one for sorting and aggregations with the terms of each document. For a field of
 * random ids they are most of its bytes, and the first costs more CPU than any other part of the
 * document. Here there is one: {@link OrdinalListsDocValuesFormat} keeps doc values and the
 * documents of every ordinal, and this format shows both as Lucene's terms and postings.
 *
 * <p>Every query of Lucene and OpenSearch runs on that interface and needs no rewriting: term,
 * terms, prefix, wildcard, range, regexp, fuzzy, statistics for scores, terms enumerations. The
 * answers are those of postings, because they hold the same pairs of terms and documents; nothing
 * is hashed, so nothing is verified.
 *
 * <h2>Fields</h2>
 *
 * The attribute {@code MillraceOrdinalPostings.terms} of a field's FieldInfo says where its terms
 * are:
 *
 * <ul>
 *   <li>{@code values}: in doc values written by {@link OrdinalListsDocValuesFormat}. This format
 *       writes nothing. The rule is {@link OrdinalListsDocValuesFormat#lists}.
 *   <li>{@code own}: the rule does not take the field; its postings are those of {@link
 *       Lucene104PostingsFormat} under this format's suffix.
 * </ul>
 *
 * Another value is damage, and so is a field of {@code values} whose doc values are not of that
 * format or have another number of terms than its lists. A field without any term in a segment is
 * not there, as with Lucene's postings.
 *
 * <h2>Writing</h2>
 *
 * What terms the indexer has gathered for a field of {@code values} does not matter: the doc values
 * are what counts. A document therefore need not be inverted; {@link TermOmission} puts one and the
 * same short term in place of a document's ids, so that Lucene sees an indexed field and hashes
 * nothing. A merge writes nothing either. Whoever asks for such a codec must give both formats to
 * the same fields; {@link OrdinalPostingsCodec} does.
 *
 * <p>A merge by another codec reads terms and postings through this format and writes its own: that
 * is the way back.
 *
 * <h2>Reading</h2>
 *
 * The doc values are opened a second time, those of the field's group alone (PerFieldDocValues puts
 * all fields of one format together): Lucene gives a postings reader no other way to them. That is
 * a second mapping of two files and a few kilobytes of heap a segment. Their checksums are the
 * first reader's matter.
 */
public final class OrdinalPostingsFormat extends PostingsFormat {
  static final String NAME = "MillraceOrdinalPostings1050";
  static final String TERMS = "MillraceOrdinalPostings.terms";
  static final String IN_VALUES = "values";
  static final String OWN = "own";

  private final PostingsFormat delegate = new Lucene104PostingsFormat();

  /** For Lucene's registry, and for each codec that writes. */
  public OrdinalPostingsFormat() {
    super(NAME);
  }

  @Override
  public FieldsConsumer fieldsConsumer(SegmentWriteState state) {
    return new OrdinalPostingsConsumer(state, delegate);
  }

  @Override
  public FieldsProducer fieldsProducer(SegmentReadState state) throws IOException {
    return OrdinalPostingsProducer.open(state, delegate);
  }
}
