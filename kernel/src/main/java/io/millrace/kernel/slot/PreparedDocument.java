package io.millrace.kernel.slot;

import java.util.List;
import org.apache.lucene.document.Field;
import org.apache.lucene.util.BytesRef;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.index.mapper.ParseContext;
import org.opensearch.index.mapper.ParsedDocument;
import org.opensearch.index.mapper.SeqNoFieldMapper;

/**
 * A parsed document without nested documents and without a mapping update, which keeps the encoded
 * id: the engine needs it again as the term of the operation (Engine#prepareIndex at 3.8.0 encodes
 * it a second time).
 */
public final class PreparedDocument extends ParsedDocument {
  private final BytesRef uid;

  /**
   * @param uid the id as {@code Uid.encodeId} writes it; kept, so it must not change afterwards
   */
  public PreparedDocument(
      BytesRef uid,
      Field version,
      SeqNoFieldMapper.SequenceIDFields sequence,
      String id,
      String routing,
      ParseContext.Document document,
      BytesReference source,
      MediaType mediaType) {
    super(version, sequence, id, routing, List.of(document), source, mediaType, null);
    this.uid = uid;
  }

  /** The encoded id. */
  public BytesRef uid() {
    return uid;
  }
}
