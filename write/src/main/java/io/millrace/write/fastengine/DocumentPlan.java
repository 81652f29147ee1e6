package io.millrace.write.fastengine;

import java.util.List;
import org.apache.lucene.index.IndexableField;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.DocumentMapper;

/**
 * How documents of one mapping version become Lucene documents; immutable.
 *
 * @param mapper the mapping version this plan was compiled from; another object is another version
 * @param root the root object; null if every document goes to stock
 * @param source what is stored of a source
 * @param slots number of slots in all nodes
 * @param routingNames the {@code _field_names} terms of a document with a routing
 * @param needsTimestamp whether stock wants exactly one timestamp (data streams)
 * @param remark why the plan declines, or which fields it leaves to stock; for logs and tests
 */
record DocumentPlan(
    DocumentMapper mapper,
    @Nullable ObjectNode root,
    KeptSource source,
    int slots,
    List<IndexableField> routingNames,
    boolean needsTimestamp,
    String remark) {

  /** A plan by which every document goes to stock. */
  static DocumentPlan declined(DocumentMapper mapper, String why) {
    return new DocumentPlan(mapper, null, KeptSource.WHOLE, 0, List.of(), false, why);
  }
}
