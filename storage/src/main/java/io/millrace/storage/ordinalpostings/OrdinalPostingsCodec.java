package io.millrace.storage.ordinalpostings;

import io.millrace.kernel.stored.TakenStoredFields;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.DocValuesFormat;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.perfield.PerFieldDocValuesFormat;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;
import org.jspecify.annotations.Nullable;

/**
 * What a shard writes with: the codec beneath, with ordinal postings for some fields.
 *
 * <p>It is never found in a segment: a field's formats are named in the segment's field infos, so
 * every codec that reads per field, Lucene's own included, finds them in Lucene's registry. It is
 * the one place that gives both formats, because neither can do without the other.
 *
 * <p>The doc values of these fields keep the format that the codec beneath gives them (packed ids,
 * for example), inside of {@link OrdinalListsDocValuesFormat}, and are a group of their own: files
 * beside those of the other fields, which {@link OrdinalPostingsFormat} opens without those.
 */
public final class OrdinalPostingsCodec extends FilterCodec {
  private final PostingsFormat postings;
  private final DocValuesFormat docValues;
  private final StoredFieldsFormat stored;

  private OrdinalPostingsCodec(
      Codec stock,
      PerFieldPostingsFormat postings,
      PerFieldDocValuesFormat docValues,
      Predicate<String> fields,
      @Nullable GatheredIds ids) {
    super(stock.getName(), stock);
    this.postings = new Postings(postings, fields);
    this.docValues = new Values(docValues, fields, ids);
    this.stored =
        ids == null
            ? stock.storedFieldsFormat()
            : new TakenStoredFields(stock.storedFieldsFormat(), ids);
  }

  /**
   * The codec with ordinal postings for the fields that the predicate takes. It is asked at every
   * flush and merge and must know its own mind; a field that Lucene does not find fit keeps
   * postings of its own.
   *
   * @return {@code stock} itself if it does not choose formats by field
   */
  public static Codec over(Codec stock, Predicate<String> fields) {
    return over(stock, fields, null);
  }

  /**
   * The same, for documents that bring their ids as {@link IdValue}s.
   *
   * @param ids takes the ids of those fields of which no document brings anything else; null if no
   *     document brings any
   */
  static Codec over(Codec stock, Predicate<String> fields, @Nullable GatheredIds ids) {
    return stock.postingsFormat() instanceof PerFieldPostingsFormat postings
            && stock.docValuesFormat() instanceof PerFieldDocValuesFormat docValues
        ? new OrdinalPostingsCodec(stock, postings, docValues, fields, ids)
        : stock;
  }

  /** The fields that a codec gives ordinal postings, or null if it is or wraps none such. */
  static @Nullable Predicate<String> fieldsOf(Codec codec) {
    return codec.postingsFormat() instanceof Postings postings
            && codec.docValuesFormat() instanceof Values values
            && postings.fields == values.fields
        ? postings.fields
        : null;
  }

  /** What takes the ids of new segments, wherever it stands in a codec; null if nothing does. */
  static @Nullable GatheredIds idsOf(Codec codec) {
    GatheredIds ids = TakenStoredFields.takers(codec.storedFieldsFormat(), GatheredIds.class);
    return ids != null && codec.docValuesFormat() instanceof Values values && values.ids == ids
        ? ids
        : null;
  }

  @Override
  public StoredFieldsFormat storedFieldsFormat() {
    return stored;
  }

  @Override
  public PostingsFormat postingsFormat() {
    return postings;
  }

  @Override
  public DocValuesFormat docValuesFormat() {
    return docValues;
  }

  private static final class Postings extends PerFieldPostingsFormat {
    private final PerFieldPostingsFormat stock;
    private final Predicate<String> fields;
    private final PostingsFormat ordinals = new OrdinalPostingsFormat();

    Postings(PerFieldPostingsFormat stock, Predicate<String> fields) {
      this.stock = stock;
      this.fields = fields;
    }

    @Override
    public PostingsFormat getPostingsFormatForField(String field) {
      return fields.test(field) ? ordinals : stock.getPostingsFormatForField(field);
    }
  }

  private static final class Values extends PerFieldDocValuesFormat {
    private final PerFieldDocValuesFormat stock;
    private final Predicate<String> fields;
    private final @Nullable GatheredIds ids;
    private final Map<DocValuesFormat, DocValuesFormat> lists = new IdentityHashMap<>();

    Values(PerFieldDocValuesFormat stock, Predicate<String> fields, @Nullable GatheredIds ids) {
      this.stock = stock;
      this.fields = fields;
      this.ids = ids;
    }

    @Override
    public DocValuesFormat getDocValuesFormatForField(String field) {
      DocValuesFormat format = stock.getDocValuesFormatForField(field);
      if (!fields.test(field)) {
        return format;
      }
      synchronized (lists) {
        return lists.computeIfAbsent(
            format, beneath -> new OrdinalListsDocValuesFormat(beneath, ids));
      }
    }
  }
}
