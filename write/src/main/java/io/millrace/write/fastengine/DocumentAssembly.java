package io.millrace.write.fastengine;

import io.millrace.kernel.slot.PreparedDocument;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.IdFieldMapper;
import org.opensearch.index.mapper.ParseContext;
import org.opensearch.index.mapper.RoutingFieldMapper;
import org.opensearch.index.mapper.SeqNoFieldMapper;
import org.opensearch.index.mapper.SourceToParse;
import org.opensearch.index.mapper.VersionFieldMapper;
import org.opensearch.index.seqno.SequenceNumbers;

/**
 * Puts the metadata fields before the mapped ones, as stock's metadata mappers do in the order of
 * their names (Mapping#Mapping at 3.8.0): id, routing, sequence number, source, version. One per
 * thread, which holds nothing of a document once it is handed out: a thread may wait for long, and
 * a source may have 10 MB.
 *
 * <p>The sequence number is one Lucene field for stock's two (a point and a doc value): the engine
 * sets both through the same object (ParsedDocument.updateSeqID).
 */
final class DocumentAssembly {
  private static final FieldType SEQUENCE_NUMBER = new FieldType();

  static {
    SEQUENCE_NUMBER.setDimensions(1, Long.BYTES);
    SEQUENCE_NUMBER.setDocValuesType(DocValuesType.NUMERIC);
    SEQUENCE_NUMBER.freeze();
  }

  private final DocumentReader reader = new DocumentReader();
  private @Nullable PreparedDocument document;
  private int lastSize;

  /**
   * Builds the document of a source.
   *
   * @return null if it stands in {@link #document()}, else why it must go to stock
   */
  @Nullable Fallback assemble(DocumentPlan plan, SourceToParse source, long depthLimit) {
    document = null;
    BytesRef bytes = source.source().toBytesRef();
    BytesRef uid = AutoId.encode(source.id());
    ParseContext.Document lucene = new ParseContext.Document();
    List<IndexableField> fields = lucene.getFields();
    if (fields instanceof ArrayList<IndexableField> list) {
      list.ensureCapacity(lastSize); // documents of one source are of one size
    }
    fields.add(new TermField(IdFieldMapper.NAME, uid, IdFieldMapper.Defaults.FIELD_TYPE));
    String routing = source.routing();
    if (routing != null) {
      fields.add(
          new Field(RoutingFieldMapper.NAME, routing, RoutingFieldMapper.Defaults.FIELD_TYPE));
      fields.addAll(plan.routingNames());
    }
    Field sequence =
        new NumericField(
            SeqNoFieldMapper.NAME, SEQUENCE_NUMBER, true, SequenceNumbers.UNASSIGNED_SEQ_NO);
    Field term = new NumericDocValuesField(SeqNoFieldMapper.PRIMARY_TERM_NAME, 0);
    Field version = new NumericDocValuesField(VersionFieldMapper.NAME, -1L);
    fields.add(sequence);
    fields.add(term);
    int place = fields.size();
    fields.add(version);
    Fallback fallback;
    try {
      fallback = reader.read(plan, fields, bytes.bytes, bytes.offset, bytes.length, depthLimit);
    } finally {
      reader.forget();
    }
    if (fallback != null) {
      return fallback;
    }
    try {
      plan.source().store(fields, place, source, bytes);
    } catch (IOException | RuntimeException e) {
      return Fallback.SYNTAX; // stock words it
    }
    lastSize = fields.size();
    document =
        new PreparedDocument(
            uid,
            version,
            new SeqNoFieldMapper.SequenceIDFields(
                sequence,
                sequence,
                term,
                new NumericDocValuesField(SeqNoFieldMapper.TOMBSTONE_NAME, 0)),
            source.id(),
            routing,
            lucene,
            source.source(),
            source.getMediaType());
    return null;
  }

  /** Whether nothing of a document is referred to. */
  boolean holdsNothing() {
    return document == null && reader.held() == 0;
  }

  /** Hands out the document of the last source that was taken, and forgets it. */
  PreparedDocument document() {
    PreparedDocument taken = Objects.requireNonNull(document, "no document was taken");
    document = null;
    return taken;
  }
}
