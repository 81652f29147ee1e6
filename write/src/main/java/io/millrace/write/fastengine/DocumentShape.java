package io.millrace.write.fastengine;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.IndexableFieldType;
import org.apache.lucene.util.BytesRef;

/**
 * What Lucene will index for a document, independent of how many field objects say it.
 *
 * <p>A Lucene field has independent facets: postings, points, doc values, stored value. Per field
 * name, every facet with its attributes and its values in order is what the index is made of
 * (IndexingChain.processField in Lucene 10.5). Two documents of the same shape make the same index.
 */
final class DocumentShape {
  private DocumentShape() {}

  /** Facets by {@code name/facet/attributes}, each with its values in order. */
  static Map<String, List<String>> of(Iterable<IndexableField> document) {
    Map<String, List<String>> shape = new TreeMap<>();
    for (IndexableField field : document) {
      IndexableFieldType type = field.fieldType();
      if (type.indexOptions() != IndexOptions.NONE) {
        add(shape, field, "postings " + postings(type), text(field));
      }
      if (type.pointDimensionCount() != 0) {
        String attributes =
            type.pointDimensionCount()
                + ","
                + type.pointIndexDimensionCount()
                + ","
                + type.pointNumBytes();
        add(shape, field, "points " + attributes, hex(field.binaryValue()));
      }
      if (type.docValuesType() != DocValuesType.NONE) {
        boolean bytes =
            type.docValuesType() != DocValuesType.NUMERIC
                && type.docValuesType() != DocValuesType.SORTED_NUMERIC;
        add(
            shape,
            field,
            "docvalues " + type.docValuesType() + "," + type.docValuesSkipIndexType(),
            bytes ? hex(field.binaryValue()) : String.valueOf(field.numericValue().longValue()));
      }
      if (type.stored()) {
        add(shape, field, "stored", stored(field));
      }
    }
    return shape;
  }

  private static void add(
      Map<String, List<String>> shape, IndexableField field, String facet, String value) {
    shape.computeIfAbsent(field.name() + "/" + facet, key -> new ArrayList<>()).add(value);
  }

  private static String postings(IndexableFieldType type) {
    return type.indexOptions()
        + (type.tokenized() ? ",tokenized" : "")
        + (type.omitNorms() ? ",no norms" : "")
        + (type.storeTermVectors() ? ",vectors" : "")
        + (type.storeTermVectorPositions() ? ",positions" : "")
        + (type.storeTermVectorOffsets() ? ",offsets" : "")
        + (type.storeTermVectorPayloads() ? ",payloads" : "")
        + (type.getAttributes() == null ? "" : type.getAttributes());
  }

  private static String text(IndexableField field) {
    String string = field.stringValue();
    // terms are compared as bytes: a term written as a string is its UTF-8
    return hex(string != null ? new BytesRef(string) : field.binaryValue());
  }

  private static String stored(IndexableField field) {
    var value = field.storedValue();
    return value.getType()
        + " "
        + switch (value.getType()) {
          case BINARY -> hex(value.getBinaryValue());
          case STRING -> value.getStringValue();
          case INTEGER -> value.getIntValue();
          case LONG -> value.getLongValue();
          case FLOAT -> value.getFloatValue();
          case DOUBLE -> value.getDoubleValue();
          default -> throw new IllegalStateException("stored value of type " + value.getType());
        };
  }

  private static String hex(BytesRef bytes) {
    return HexFormat.of().formatHex(bytes.bytes, bytes.offset, bytes.offset + bytes.length);
  }
}
