package io.millrace.write.keywordtruncation;

import io.millrace.kernel.settings.Switch;
import io.millrace.write.lenientparsing.IgnoredValues;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.IndexableFieldType;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.IndexModule;
import org.opensearch.index.IndexService;
import org.opensearch.index.engine.Engine;
import org.opensearch.index.mapper.IgnoredFieldMapper;
import org.opensearch.index.mapper.KeywordFieldMapper.KeywordFieldType;
import org.opensearch.index.mapper.MapperService;
import org.opensearch.index.mapper.ParseContext;
import org.opensearch.index.mapper.ParsedDocument;
import org.opensearch.index.shard.IndexEventListener;
import org.opensearch.index.shard.IndexingOperationListener;

/**
 * Cuts the over-long keyword terms of each parsed document of one index, before it is indexed.
 *
 * <p>The hook is {@code preIndex} (IndexShard#index at 3.8.0), which runs on every copy, in
 * recovery and in translog replay. Built-in field types cannot be replaced, and the parsed fields
 * are what Lucene sees.
 *
 * <p>Only the primary asks whether the feature is on. A document that the primary accepted cut must
 * be accepted cut everywhere and for ever: a replica, or the replay of a translog after the setting
 * was turned off, would otherwise fail on an acknowledged document, and with it the shard. A
 * document that was never cut has no over-long term, so this changes nothing for stock documents.
 *
 * <p>Stored fields keep the whole value. Where {@code _source} is derived from the index ({@code
 * index.derived_source.enabled}) a cut would change what the user gets back: there stock's refusal
 * stays.
 */
final class KeywordTruncator implements IndexingOperationListener {
  private final Switch node;
  private final LongAdder truncated;
  private final IgnoredValues ignoredValues;
  private volatile boolean index;
  private volatile @Nullable MapperService mappers;

  KeywordTruncator(Switch node, LongAdder truncated, IgnoredValues ignoredValues) {
    this.node = node;
    this.truncated = truncated;
    this.ignoredValues = ignoredValues;
  }

  void attach(IndexModule module) {
    index = KeywordTruncationFeature.ENABLED.get(module.getSettings());
    module.addSettingsUpdateConsumer(KeywordTruncationFeature.ENABLED, value -> index = value);
    module.addIndexEventListener(
        new IndexEventListener() {
          @Override
          public void afterIndexCreated(IndexService service) {
            if (!service.getIndexSettings().isDerivedSourceEnabled()) {
              mappers = service.mapperService();
            }
          }
        });
    module.addIndexOperationListener(this);
  }

  @Override
  public Engine.Index preIndex(ShardId shardId, Engine.Index operation) {
    MapperService known = mappers;
    boolean primary = operation.origin() == Engine.Operation.Origin.PRIMARY;
    ParsedDocument parsed = operation.parsedDoc();
    if (known != null && parsed != null && (!primary || (index && node.on()))) {
      Map<String, String> reasons = new LinkedHashMap<>();
      for (ParseContext.Document document : parsed.docs()) {
        truncate(document.getFields(), known, reasons);
      }
      ParseContext.Document root = parsed.rootDoc();
      for (String name : reasons.keySet()) {
        root.add(new Field(IgnoredFieldMapper.NAME, name, IgnoredFieldMapper.Defaults.FIELD_TYPE));
      }
      if (primary) {
        ignoredValues.count(
            shardId.getIndexName(), reasons, parsed.source(), parsed.getMediaType());
      }
    }
    return operation;
  }

  private void truncate(
      List<IndexableField> fields, MapperService known, Map<String, String> reasons) {
    BytesRef whole = null;
    BytesRef cut = null;
    for (int i = 0, parsed = fields.size(); i < parsed; i++) {
      IndexableField field = fields.get(i);
      if (!isTerm(field)) { // asked first: a number makes its bytes anew for each who asks
        continue;
      }
      BytesRef value = field.binaryValue();
      if (value == null || value.length <= Terms.MAX_BYTES) {
        continue;
      }
      if (!(field instanceof Field settable)
          || !(known.fieldType(field.name()) instanceof KeywordFieldType)) {
        continue;
      }
      if (value != whole) { // the term and the doc value of one value share their bytes
        whole = value;
        cut = Terms.truncate(value);
        truncated.increment();
        reasons.put(field.name(), "cut at " + Terms.MAX_BYTES + " bytes");
      }
      if (field.fieldType().stored()) {
        FieldType unstored = new FieldType(field.fieldType());
        unstored.setStored(false);
        unstored.freeze();
        fields.set(i, new Field(field.name(), cut, unstored));
        fields.add(new StoredField(field.name(), value));
      } else {
        settable.setBytesValue(cut);
      }
    }
  }

  /** Whether Lucene puts the field's value into a dictionary of terms. */
  private static boolean isTerm(IndexableField field) {
    IndexableFieldType type = field.fieldType();
    return (type.indexOptions() != IndexOptions.NONE && !type.tokenized())
        || type.docValuesType() == DocValuesType.SORTED_SET
        || type.docValuesType() == DocValuesType.SORTED;
  }
}
