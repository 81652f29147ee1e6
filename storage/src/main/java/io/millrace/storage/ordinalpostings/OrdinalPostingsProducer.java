package io.millrace.storage.ordinalpostings;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.perfield.PerFieldDocValuesFormat;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/** Shows the fields of {@link OrdinalPostingsFormat}, from doc values or from the delegate. */
final class OrdinalPostingsProducer extends FieldsProducer {
  private final Map<String, Terms> inValues;
  private final Map<String, OrdinalListsProducer> values;
  private final @Nullable FieldsProducer delegate;

  private OrdinalPostingsProducer(
      Map<String, Terms> inValues,
      Map<String, OrdinalListsProducer> values,
      @Nullable FieldsProducer delegate) {
    this.inValues = inValues;
    this.values = values;
    this.delegate = delegate;
  }

  static OrdinalPostingsProducer open(SegmentReadState state, PostingsFormat format)
      throws IOException {
    Map<String, Terms> inValues = new TreeMap<>();
    Map<String, OrdinalListsProducer> values = new HashMap<>();
    FieldsProducer delegate = null;
    try {
      for (FieldInfo field : state.fieldInfos) {
        if (!isHere(field, state.segmentSuffix)) {
          continue;
        }
        String terms = String.valueOf(field.getAttribute(OrdinalPostingsFormat.TERMS));
        switch (terms) {
          case OrdinalPostingsFormat.IN_VALUES -> {
            Terms found = terms(field, state, values);
            if (found.size() > 0) {
              inValues.put(field.name, found);
            }
          }
          case OrdinalPostingsFormat.OWN -> {
            if (delegate == null) {
              delegate = format.fieldsProducer(state);
            }
          }
          default ->
              throw new CorruptIndexException(
                  OrdinalPostingsFormat.TERMS + " is [" + terms + "]", field.name);
        }
      }
      return new OrdinalPostingsProducer(inValues, values, delegate);
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(values.values());
      IOUtils.closeWhileHandlingException(delegate);
      throw t;
    }
  }

  /** Whether the field's postings are those that this producer was asked to open. */
  private static boolean isHere(FieldInfo field, String suffix) {
    return OrdinalPostingsFormat.NAME.equals(
            field.getAttribute(PerFieldPostingsFormat.PER_FIELD_FORMAT_KEY))
        && suffix.endsWith(
            OrdinalPostingsFormat.NAME
                + "_"
                + field.getAttribute(PerFieldPostingsFormat.PER_FIELD_SUFFIX_KEY));
  }

  private static Terms terms(
      FieldInfo field, SegmentReadState state, Map<String, OrdinalListsProducer> opened)
      throws IOException {
    String format = field.getAttribute(PerFieldDocValuesFormat.PER_FIELD_FORMAT_KEY);
    String suffix = field.getAttribute(PerFieldDocValuesFormat.PER_FIELD_SUFFIX_KEY);
    if (!OrdinalListsDocValuesFormat.NAME.equals(format) || suffix == null) {
      throw new CorruptIndexException(
          "terms are said to be in doc values, whose format is [" + format + "]", field.name);
    }
    OrdinalListsProducer values = opened.get(suffix);
    if (values == null) {
      values = OrdinalListsProducer.open(group(state, suffix));
      opened.put(suffix, values);
    }
    OrdinalLists lists = values.lists(field);
    if (lists == null) {
      throw new CorruptIndexException("the doc values have no lists", field.name);
    }
    return new ValuesTerms(values, field, lists);
  }

  /** The doc values files of one group of fields, as PerFieldDocValuesFormat names them. */
  private static SegmentReadState group(SegmentReadState state, String suffix) {
    List<FieldInfo> group = new ArrayList<>();
    for (FieldInfo field : state.fieldInfos) {
      if (OrdinalListsDocValuesFormat.NAME.equals(
              field.getAttribute(PerFieldDocValuesFormat.PER_FIELD_FORMAT_KEY))
          && suffix.equals(field.getAttribute(PerFieldDocValuesFormat.PER_FIELD_SUFFIX_KEY))) {
        group.add(field);
      }
    }
    return new SegmentReadState(
        state.directory,
        state.segmentInfo,
        new FieldInfos(group.toArray(FieldInfo[]::new)),
        state.context,
        OrdinalListsDocValuesFormat.NAME + "_" + suffix);
  }

  @Override
  public @Nullable Terms terms(String field) throws IOException {
    Terms terms = inValues.get(field);
    return terms != null || delegate == null ? terms : delegate.terms(field);
  }

  @Override
  public Iterator<String> iterator() {
    if (delegate == null) {
      return inValues.keySet().iterator();
    }
    TreeSet<String> all = new TreeSet<>(inValues.keySet());
    delegate.forEach(all::add);
    return all.iterator();
  }

  @Override
  public int size() {
    return inValues.size() + (delegate == null ? 0 : delegate.size());
  }

  @Override
  public void checkIntegrity() throws IOException {
    if (delegate != null) {
      delegate.checkIntegrity();
    }
  }

  @Override
  public void close() throws IOException {
    List<java.io.Closeable> all = new ArrayList<>(values.values());
    if (delegate != null) {
      all.add(delegate);
    }
    IOUtils.close(all);
  }

  @Override
  public String toString() {
    return "OrdinalPostings(" + inValues.keySet() + ", " + Objects.toString(delegate, "") + ")";
  }
}
