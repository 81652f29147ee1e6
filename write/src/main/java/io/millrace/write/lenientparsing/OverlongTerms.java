package io.millrace.write.lenientparsing;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.document.Field;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.util.BytesRef;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.engine.Engine;
import org.opensearch.index.mapper.IgnoredFieldMapper;
import org.opensearch.index.mapper.ParseContext;
import org.opensearch.index.mapper.ParsedDocument;
import org.opensearch.index.shard.IndexingOperationListener;

/**
 * Leaves out values that no term can hold, which Lucene refuses together with their document
 * (IndexWriter#MAX_TERM_LENGTH).
 *
 * <p>Keyword fields are not among them: their values are cut, see {@link
 * io.millrace.write.keywordtruncation.KeywordTruncationFeature}.
 */
final class OverlongTerms implements IndexingOperationListener {
  /** Whether primaries of this index are lenient, and which of its fields are cut instead. */
  interface Lenient {
    boolean on();

    boolean cut(String field);
  }

  private final Lenient lenient;
  private final IgnoredValues ignoredValues;

  OverlongTerms(Lenient lenient, IgnoredValues ignoredValues) {
    this.lenient = lenient;
    this.ignoredValues = ignoredValues;
  }

  @Override
  public Engine.Index preIndex(ShardId shardId, Engine.Index operation) {
    ParsedDocument parsed = operation.parsedDoc();
    boolean primary = operation.origin() == Engine.Operation.Origin.PRIMARY;
    if (parsed != null
        && parsed.source() != null
        && parsed.source().length() > IndexWriter.MAX_TERM_LENGTH
        && (!primary || lenient.on())) {
      Set<String> ignored = new LinkedHashSet<>();
      parsed.docs().forEach(document -> leaveOut(document.getFields(), ignored));
      ParseContext.Document root = parsed.rootDoc();
      Map<String, String> reasons = new LinkedHashMap<>();
      for (String name : ignored) {
        root.add(new Field(IgnoredFieldMapper.NAME, name, IgnoredFieldMapper.Defaults.FIELD_TYPE));
        reasons.put(name, "term longer than " + IndexWriter.MAX_TERM_LENGTH + " bytes");
      }
      if (primary) {
        ignoredValues.count(
            shardId.getIndexName(), reasons, parsed.source(), parsed.getMediaType());
      }
    }
    return operation;
  }

  private void leaveOut(List<IndexableField> fields, Set<String> ignored) {
    fields.removeIf(field -> {
      boolean overlong =
          isTerm(field) && bytes(field) > IndexWriter.MAX_TERM_LENGTH && !lenient.cut(field.name());
      if (overlong) {
        ignored.add(field.name());
      }
      return overlong;
    });
  }

  private static int bytes(IndexableField field) {
    BytesRef value = field.binaryValue();
    if (value != null) {
      return value.length;
    }
    String text = field.stringValue();
    return text == null || text.length() <= IndexWriter.MAX_TERM_LENGTH / 3
        ? 0
        : new BytesRef(text).length;
  }

  private static boolean isTerm(IndexableField field) {
    DocValuesType docValues = field.fieldType().docValuesType();
    return (field.fieldType().indexOptions() != IndexOptions.NONE && !field.fieldType().tokenized())
        || docValues == DocValuesType.SORTED_SET
        || docValues == DocValuesType.SORTED;
  }
}
