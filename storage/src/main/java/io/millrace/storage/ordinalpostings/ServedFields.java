package io.millrace.storage.ordinalpostings;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.IndexOptions;
import org.opensearch.common.regex.Regex;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.mapper.DocumentMapperForType;
import org.opensearch.index.mapper.KeywordFieldMapper;
import org.opensearch.index.mapper.Mapper;

/**
 * Which fields of a shard have ordinal postings: those that the setting names and that the mapping
 * has as indexed keywords with doc values.
 *
 * <p>What a field is never changes within an index, so a field that was served once is served for
 * good; one that is not there yet is asked for again. A document's fields are mapped before it is
 * indexed, and mapped still when it is flushed: both get the same answer.
 */
final class ServedFields implements Predicate<String> {
  private final String[] patterns;
  private final Supplier<DocumentMapperForType> mapper;
  private final Map<String, Boolean> known = new ConcurrentHashMap<>();
  private final Set<String> plain = ConcurrentHashMap.newKeySet();

  ServedFields(List<String> patterns, Supplier<DocumentMapperForType> mapper) {
    this.patterns = patterns.toArray(String[]::new);
    this.mapper = mapper;
  }

  static ServedFields of(EngineConfig config) {
    return new ServedFields(
        config.getIndexSettings().getValue(OrdinalPostingsFeature.FIELDS),
        config.getDocumentMapperForTypeSupplier());
  }

  @Override
  public boolean test(String field) {
    Boolean serves = known.get(field);
    return serves != null ? serves : look(field);
  }

  /** Decides once for a field, whoever asks first. */
  private synchronized boolean look(String field) {
    Boolean serves = known.get(field);
    if (serves != null) {
      return serves;
    }
    if (field.startsWith("_") || !Regex.simpleMatch(patterns, field)) {
      known.put(field, false);
      return false;
    }
    Mapper found = mapper.get().getDocumentMapper().mappers().getMapper(field);
    if (!(found instanceof KeywordFieldMapper keyword)
        || !keyword.fieldType().isSearchable()
        || !keyword.fieldType().hasDocValues()) {
      return false;
    }
    if (isPlain(keyword)) {
      plain.add(field);
    }
    known.put(field, true);
    return true;
  }

  /**
   * Whether every value of a field comes to Lucene as a term and a doc value alone, so that all can
   * be gathered: {@link TermOmission} leaves no value of the field as it is.
   */
  boolean isPlain(String field) {
    return test(field) && plain.contains(field);
  }

  private static boolean isPlain(KeywordFieldMapper mapper) {
    FieldType type = mapper.fieldType().getTextSearchInfo().getLuceneFieldType();
    return !mapper.fieldType().isStored()
        && type.omitNorms()
        && type.indexOptions() == IndexOptions.DOCS
        && !type.storeTermVectors();
  }
}
