package io.millrace.bench.raw;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.FloatPoint;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;

/**
 * The Lucene fields that OpenSearch's mapper of a type writes for one value, with default settings
 * of the type (NumberFieldMapper.NumberType#createFields, DateFieldMapper#parseCreateField,
 * KeywordFieldMapper#parseCreateField, BooleanFieldMapper#parseCreateField).
 */
enum RawFieldWriter {
  KEYWORD {
    @Override
    void add(Document document, String name, String value) {
      BytesRef bytes = new BytesRef(value);
      document.add(new Field(name, bytes, EXACT));
      document.add(new SortedSetDocValuesField(name, bytes));
    }
  },
  TEXT {
    @Override
    void add(Document document, String name, String value) {
      document.add(new TextField(name, value, Field.Store.NO));
    }
  },
  BOOLEAN {
    @Override
    void add(Document document, String name, String value) {
      boolean flag = Boolean.parseBoolean(value);
      document.add(new Field(name, flag ? "T" : "F", EXACT));
      document.add(new SortedNumericDocValuesField(name, flag ? 1 : 0));
    }
  },
  DATE {
    @Override
    void add(Document document, String name, String value) {
      long millis =
          Character.isDigit(value.charAt(value.length() - 1)) && value.indexOf('-') < 0
              ? Long.parseLong(value)
              : Instant.parse(value).toEpochMilli();
      document.add(new LongPoint(name, millis));
      // a skip index for @timestamp is stock's default since 3.3
      // (DateFieldMapper#isSkiplistDefaultEnabled)
      document.add(
          name.equals("@timestamp")
              ? SortedNumericDocValuesField.indexedField(name, millis)
              : new SortedNumericDocValuesField(name, millis));
    }
  },
  LONG {
    @Override
    void add(Document document, String name, String value) {
      long number = Long.parseLong(value);
      document.add(new LongPoint(name, number));
      document.add(new SortedNumericDocValuesField(name, number));
    }
  },
  INTEGER {
    @Override
    void add(Document document, String name, String value) {
      int number = Integer.parseInt(value);
      document.add(new IntPoint(name, number));
      document.add(new SortedNumericDocValuesField(name, number));
    }
  },
  FLOAT {
    @Override
    void add(Document document, String name, String value) {
      float number = Float.parseFloat(value);
      document.add(new FloatPoint(name, number));
      document.add(new SortedNumericDocValuesField(name, NumericUtils.floatToSortableInt(number)));
    }
  },
  DOUBLE {
    @Override
    void add(Document document, String name, String value) {
      double number = Double.parseDouble(value);
      document.add(new DoublePoint(name, number));
      document.add(
          new SortedNumericDocValuesField(name, NumericUtils.doubleToSortableLong(number)));
    }
  },
  IP {
    @Override
    void add(Document document, String name, String value) {
      InetAddress address = literal(value);
      document.add(new InetAddressPoint(name, address));
      document.add(
          new SortedSetDocValuesField(name, new BytesRef(InetAddressPoint.encode(address))));
    }
  };

  /** Indexed without positions, norms or analysis. */
  static final FieldType EXACT = new FieldType();

  static {
    EXACT.setIndexOptions(IndexOptions.DOCS);
    EXACT.setOmitNorms(true);
    EXACT.setTokenized(false);
    EXACT.freeze();
  }

  /** A literal address is parsed without asking a name server. */
  private static InetAddress literal(String value) {
    try {
      return InetAddress.getByName(value);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("not a literal ip address: " + value, e);
    }
  }

  /** Adds the fields for a value, given as the text that stands in the JSON. */
  abstract void add(Document document, String name, String value);

  /** The writer for a mapping type. */
  static RawFieldWriter of(String type) {
    return switch (type) {
      case "keyword" -> KEYWORD;
      case "text" -> TEXT;
      case "boolean" -> BOOLEAN;
      case "date" -> DATE;
      case "long" -> LONG;
      case "integer", "short", "byte" -> INTEGER;
      case "float" -> FLOAT;
      case "double" -> DOUBLE;
      case "ip" -> IP;
      default -> throw new IllegalArgumentException("no raw Lucene fields known for type " + type);
    };
  }
}
