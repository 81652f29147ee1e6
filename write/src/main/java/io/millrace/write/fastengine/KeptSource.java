package io.millrace.write.fastengine;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.index.mapper.SourceFieldMapper;
import org.opensearch.index.mapper.SourceToParse;

/**
 * What of a document's source is stored, as SourceFieldMapper#preParse at 3.8.0 says it: all of it,
 * what the filters of the mapping leave, or nothing. Where it is not all, the engine keeps the
 * whole source for as long as another copy may ask for the operation.
 *
 * @param filter the mapper that filters; null where the source is stored as it came
 * @param recoverable whether what is left out is kept for recoveries
 */
record KeptSource(@Nullable SourceFieldMapper filter, boolean recoverable) {
  /** Stored as it came. */
  static final KeptSource WHOLE = new KeptSource(null, true);

  /**
   * What a mapping keeps.
   *
   * @return null for filters of the source for recoveries, which no public method applies
   */
  static @Nullable KeptSource of(SourceFieldMapper mapper) throws IOException {
    if (mapper.isComplete()) {
      return WHOLE;
    }
    FieldParameters parameters = FieldParameters.of(mapper);
    if (hasItems(parameters, "recovery_source_includes")
        || hasItems(parameters, "recovery_source_excludes")) {
      return null;
    }
    return new KeptSource(mapper, parameters.flag("recovery_source_enabled", true));
  }

  private static boolean hasItems(FieldParameters parameters, String name) {
    String list = parameters.text(name);
    return list != null && !list.equals("[]");
  }

  /**
   * Adds the fields of a source that was read without a fault.
   *
   * @param bytes the source
   * @param place where stock puts them: among the metadata fields, before the mapped ones
   * @throws IOException what stock's filter throws
   */
  void store(List<IndexableField> fields, int place, SourceToParse source, BytesRef bytes)
      throws IOException {
    if (filter == null) {
      fields.add(place, stored(SourceFieldMapper.NAME, bytes));
      return;
    }
    BytesReference kept = filter.applyFilters(source.source(), source.getMediaType());
    if (recoverable) {
      fields.add(place, new NumericDocValuesField(SourceFieldMapper.RECOVERY_SOURCE_NAME, 1));
      fields.add(place, stored(SourceFieldMapper.RECOVERY_SOURCE_NAME, bytes));
    }
    if (kept != null) {
      fields.add(place, stored(SourceFieldMapper.NAME, kept.toBytesRef()));
    }
  }

  private static StoredField stored(String name, BytesRef bytes) {
    return new StoredField(name, bytes.bytes, bytes.offset, bytes.length);
  }
}
