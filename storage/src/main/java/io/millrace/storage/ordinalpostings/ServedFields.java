package io.millrace.storage.ordinalpostings;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
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
  private final Set<String> served = ConcurrentHashMap.newKeySet();
  private final Set<String> unnamed = ConcurrentHashMap.newKeySet();

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
    if (served.contains(field)) {
      return true;
    }
    if (unnamed.contains(field)) {
      return false;
    }
    if (field.startsWith("_") || !Regex.simpleMatch(patterns, field)) {
      unnamed.add(field);
      return false;
    }
    Mapper found = mapper.get().getDocumentMapper().mappers().getMapper(field);
    boolean serves =
        found instanceof KeywordFieldMapper keyword
            && keyword.fieldType().isSearchable()
            && keyword.fieldType().hasDocValues();
    if (serves) {
      served.add(field);
    }
    return serves;
  }
}
