package io.millrace.storage.packedids;

import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.DocValuesFormat;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.codecs.lucene90.Lucene90DocValuesFormat;
import org.apache.lucene.codecs.perfield.PerFieldDocValuesFormat;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;

/**
 * What a shard writes with: the codec beneath, with packed ids in place of Lucene's default
 * formats.
 *
 * <p>It is never found in a segment: a field's format is named in the segment's field infos
 * (PerFieldPostingsFormat, PerFieldDocValuesFormat), so every codec that reads per field, Lucene's
 * own included, finds the packed formats in Lucene's registry. Fields to which the mapping gives
 * another format (completion, fuzzy id sets:
 * PerFieldMappingPostingFormatCodec#getPostingsFormatForField at 3.8.0) keep it.
 */
public final class PackedIdsCodec extends FilterCodec {
  private final PostingsFormat postings;
  private final DocValuesFormat docValues;

  /** A codec that writes packed ids and, for everything else, with {@code stock}. */
  public PackedIdsCodec(Codec stock) {
    super(stock.getName(), stock);
    postings =
        stock.postingsFormat() instanceof PerFieldPostingsFormat perField
            ? new Postings(perField)
            : stock.postingsFormat();
    docValues =
        stock.docValuesFormat() instanceof PerFieldDocValuesFormat perField
            ? new Values(perField)
            : stock.docValuesFormat();
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
    private final PostingsFormat packed = new PackedIdsPostingsFormat();

    Postings(PerFieldPostingsFormat stock) {
      this.stock = stock;
    }

    @Override
    public PostingsFormat getPostingsFormatForField(String field) {
      PostingsFormat format = stock.getPostingsFormatForField(field);
      return format instanceof Lucene104PostingsFormat ? packed : format;
    }
  }

  private static final class Values extends PerFieldDocValuesFormat {
    private final PerFieldDocValuesFormat stock;
    private final DocValuesFormat packed = new PackedIdsDocValuesFormat();

    Values(PerFieldDocValuesFormat stock) {
      this.stock = stock;
    }

    @Override
    public DocValuesFormat getDocValuesFormatForField(String field) {
      DocValuesFormat format = stock.getDocValuesFormatForField(field);
      return format instanceof Lucene90DocValuesFormat ? packed : format;
    }
  }
}
