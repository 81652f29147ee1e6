package io.millrace.storage.ordinalpostings;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.FilterLeafReader.FilterFields;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.index.SegmentWriteState;
import org.jspecify.annotations.Nullable;

/** Writes which fields have their terms in doc values, and the others with the delegate. */
final class OrdinalPostingsConsumer extends FieldsConsumer {
  private final SegmentWriteState state;
  private final PostingsFormat format;
  private @Nullable FieldsConsumer delegate;

  OrdinalPostingsConsumer(SegmentWriteState state, PostingsFormat format) {
    this.state = state;
    this.format = format;
  }

  @Override
  public void write(Fields fields, NormsProducer norms) throws IOException {
    List<String> own = mark(fields);
    if (!own.isEmpty()) {
      delegate().write(new Some(fields, own), norms);
    }
  }

  @Override
  public void merge(MergeState merge, NormsProducer norms) throws IOException {
    TreeSet<String> fields = new TreeSet<>();
    for (FieldsProducer producer : merge.fieldsProducers) {
      if (producer != null) {
        producer.forEach(fields::add);
      }
    }
    if (!mark(fields).isEmpty()) {
      super.merge(merge, norms); // gives write() the merged fields
    }
  }

  /** Marks each field and gives those that have postings of their own, in order. */
  private List<String> mark(Iterable<String> fields) {
    List<String> own = new ArrayList<>();
    for (String name : fields) {
      FieldInfo field = Objects.requireNonNull(state.fieldInfos.fieldInfo(name));
      boolean inValues = OrdinalListsDocValuesFormat.lists(field);
      field.putAttribute(
          OrdinalPostingsFormat.TERMS,
          inValues ? OrdinalPostingsFormat.IN_VALUES : OrdinalPostingsFormat.OWN);
      if (!inValues) {
        own.add(name);
      }
    }
    return own;
  }

  private FieldsConsumer delegate() throws IOException {
    if (delegate == null) {
      delegate = format.fieldsConsumer(state);
    }
    return delegate;
  }

  @Override
  public void close() throws IOException {
    if (delegate != null) {
      delegate.close();
    }
  }

  /** Fields of which only some are seen. */
  private static final class Some extends FilterFields {
    private final List<String> names;

    Some(Fields in, List<String> names) {
      super(in);
      this.names = names;
    }

    @Override
    public Iterator<String> iterator() {
      return names.iterator();
    }

    @Override
    public int size() {
      return names.size();
    }
  }
}
