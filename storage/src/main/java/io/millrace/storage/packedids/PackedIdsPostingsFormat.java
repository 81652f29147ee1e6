package io.millrace.storage.packedids;

import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.FilterLeafReader.FilterFields;
import org.apache.lucene.index.FilterLeafReader.FilterTerms;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.jspecify.annotations.Nullable;

/**
 * Lucene's postings with the terms of hexadecimal fields in half their bytes. This comment is the
 * specification of {@code MillracePackedIds1050}.
 *
 * <p>The files are those of {@link Lucene104PostingsFormat} under this format's suffix. A field is
 * packed in a segment if its name does not begin with an underscore and all its terms there are
 * lowercase hexadecimal digits ({@code 0-9a-f}) of one even length, the width, from 16 to 128: then
 * the delegate holds each term as width / 2 bytes, the first digit of each pair in the high four
 * bits. All else is the delegate's: the other fields' terms, statistics, documents, positions.
 *
 * <p>The field's attribute {@code PackedIdsPostings.width} in {@code .fnm} (which Lucene checks
 * with a checksum whenever it opens a segment) is the width in decimal digits, 0 for a field that
 * is not packed. It is written for every field that has terms; a field with terms and without it is
 * damage. An attribute that a merge has copied from another segment is always overwritten, and has
 * no meaning for a field whose format is another.
 *
 * <p>Fields that begin with an underscore are OpenSearch's own. {@code _id} is the one that
 * matters, and Uid.encodeId (3.8.0) has already turned what looks like base64 or a number into
 * bytes; its reader is the delegate's, unwrapped.
 *
 * <p>A change of any of this is a new name.
 */
public final class PackedIdsPostingsFormat extends PostingsFormat {
  static final String NAME = "MillracePackedIds1050";
  static final String WIDTH = "PackedIdsPostings.width";

  private final PostingsFormat delegate = new Lucene104PostingsFormat();

  /** For Lucene's registry, and for each codec that writes. */
  public PackedIdsPostingsFormat() {
    super(NAME);
  }

  @Override
  public FieldsConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
    return new Consumer(delegate.fieldsConsumer(state), state.fieldInfos);
  }

  @Override
  public FieldsProducer fieldsProducer(SegmentReadState state) throws IOException {
    return new Producer(delegate.fieldsProducer(state), state.fieldInfos);
  }

  private static final class Consumer extends FieldsConsumer {
    private final FieldsConsumer in;
    private final FieldInfos fieldInfos;

    /** What a merge has found out about a field without merging its terms. */
    private final Map<String, Integer> known = new HashMap<>();

    Consumer(FieldsConsumer in, FieldInfos fieldInfos) {
      this.in = in;
      this.fieldInfos = fieldInfos;
    }

    @Override
    public void write(Fields fields, NormsProducer norms) throws IOException {
      Map<String, Integer> widths = new HashMap<>();
      for (String field : fields) {
        int width = width(fields, field);
        widths.put(field, width);
        HexTerms.record(fieldInfos.fieldInfo(field), WIDTH, width);
      }
      in.write(new PackingFields(fields, widths), norms);
    }

    private int width(Fields fields, String field) throws IOException {
      if (!mayBePacked(field)) {
        return 0;
      }
      Integer found = known.get(field);
      if (found != null) {
        return found;
      }
      Terms terms = fields.terms(field);
      return terms == null ? 0 : HexTerms.commonWidth(terms.iterator());
    }

    /** Terms of segments that are packed already need not be looked at one by one. */
    @Override
    public void merge(MergeState state, NormsProducer norms) throws IOException {
      for (FieldsProducer producer : state.fieldsProducers) {
        if (producer == null) {
          continue;
        }
        for (String field : producer) {
          Terms terms = mayBePacked(field) ? producer.terms(field) : null;
          if (terms != null) {
            int width =
                terms instanceof PackedTerms packed
                    ? packed.width
                    : known.getOrDefault(field, -1) == 0
                        ? 0
                        : HexTerms.commonWidth(terms.iterator());
            known.merge(field, width, (one, other) -> one.equals(other) ? one : 0);
          }
        }
      }
      super.merge(state, norms);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  private static boolean mayBePacked(String field) {
    return !field.startsWith("_");
  }

  private static final class PackingFields extends FilterFields {
    private final Map<String, Integer> widths;

    PackingFields(Fields in, Map<String, Integer> widths) {
      super(in);
      this.widths = widths;
    }

    @Override
    public @Nullable Terms terms(String field) throws IOException {
      Terms terms = in.terms(field);
      int width = widths.getOrDefault(field, 0);
      return terms == null || width == 0 ? terms : new PackingTerms(terms, width);
    }
  }

  private static final class PackingTerms extends FilterTerms {
    private final int width;

    PackingTerms(Terms in, int width) {
      super(in);
      this.width = width;
    }

    @Override
    public TermsEnum iterator() throws IOException {
      return new PackingTermsEnum(in.iterator(), width);
    }
  }

  private static final class Producer extends FieldsProducer {
    private final FieldsProducer in;
    private final Map<String, Integer> widths;

    Producer(FieldsProducer in, FieldInfos fieldInfos) throws IOException {
      this.in = in;
      this.widths = new HashMap<>();
      try {
        for (String field : in) {
          int width = HexTerms.recorded(fieldInfos.fieldInfo(field), WIDTH);
          if (width < 0) {
            throw new CorruptIndexException("the attribute " + WIDTH + " is missing", field);
          }
          if (width > 0) {
            widths.put(field, width);
          }
        }
      } catch (CorruptIndexException e) {
        in.close();
        throw e;
      }
    }

    private Producer(FieldsProducer in, Map<String, Integer> widths) {
      this.in = in;
      this.widths = widths;
    }

    @Override
    public @Nullable Terms terms(String field) throws IOException {
      Terms terms = in.terms(field);
      Integer width = terms == null ? null : widths.get(field);
      return width == null ? terms : new PackedTerms(terms, width);
    }

    @Override
    public FieldsProducer getMergeInstance() {
      return new Producer(in.getMergeInstance(), widths);
    }

    @Override
    public Iterator<String> iterator() {
      return in.iterator();
    }

    @Override
    public int size() {
      return in.size();
    }

    @Override
    public void checkIntegrity() throws IOException {
      in.checkIntegrity();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }

    @Override
    public String toString() {
      return "PackedIds(" + in + ", packed=" + widths + ")";
    }
  }
}
