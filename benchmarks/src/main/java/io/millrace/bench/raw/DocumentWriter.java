package io.millrace.bench.raw;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.util.BytesRef;

/**
 * JSON to a Lucene document the plain way: a streaming parser and the fields of the mapping, with
 * the metadata fields that OpenSearch adds ({@code _source}, {@code _id}, {@code _seq_no}, {@code
 * _primary_term}, {@code _version}; SeqNoFieldMapper.SequenceIDFields#emptySeqID,
 * VersionFieldMapper, IdFieldMapper, SourceFieldMapper at 3.8.0). One per thread.
 */
final class DocumentWriter {
  private static final FieldType ID = new FieldType(RawFieldWriter.EXACT);

  static {
    ID.setStored(true);
    ID.freeze();
  }

  private final JsonFactory json;
  private final Map<String, RawFieldWriter> fields;

  DocumentWriter(JsonFactory json, Map<String, RawFieldWriter> fields) {
    this.json = json;
    this.fields = fields;
  }

  /** The writers by full field name for a mapping ({@code {"properties": ..}}). */
  static Map<String, RawFieldWriter> compile(JsonNode mapping) {
    Map<String, RawFieldWriter> fields = new HashMap<>();
    compile("", mapping.path("properties"), fields);
    return fields;
  }

  private static void compile(
      String prefix, JsonNode properties, Map<String, RawFieldWriter> into) {
    properties
        .properties()
        .forEach(entry -> {
          JsonNode field = entry.getValue();
          if (field.has("properties")) {
            compile(prefix + entry.getKey() + ".", field.path("properties"), into);
          } else {
            into.put(
                prefix + entry.getKey(), RawFieldWriter.of(field.path("type").asText("object")));
          }
        });
  }

  /**
   * Makes the document for one line.
   *
   * @param id as encoded for the index: 15 bytes for ids of the server's own making
   * @throws IOException when the line is not JSON
   */
  Document write(byte[] source, BytesRef id, long sequence) throws IOException {
    Document document = new Document();
    try (JsonParser parser = json.createParser(source)) {
      parser.nextToken();
      object(parser, "", document);
    }
    document.add(new StoredField("_source", source));
    document.add(new Field("_id", id, ID));
    document.add(new LongPoint("_seq_no", sequence));
    document.add(new NumericDocValuesField("_seq_no", sequence));
    document.add(new NumericDocValuesField("_primary_term", 1));
    document.add(new NumericDocValuesField("_version", 1));
    return document;
  }

  private void object(JsonParser parser, String prefix, Document document) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = prefix.isEmpty() ? parser.currentName() : prefix + parser.currentName();
      value(parser, parser.nextToken(), name, document);
    }
  }

  private void value(JsonParser parser, JsonToken token, String name, Document document)
      throws IOException {
    switch (token) {
      case START_OBJECT -> object(parser, name + ".", document);
      case START_ARRAY -> {
        for (JsonToken t = parser.nextToken(); t != JsonToken.END_ARRAY; t = parser.nextToken()) {
          value(parser, t, name, document);
        }
      }
      case VALUE_NULL -> {}
      default -> {
        RawFieldWriter writer = fields.get(name);
        if (writer != null) {
          writer.add(document, name, parser.getText());
        }
      }
    }
  }
}
