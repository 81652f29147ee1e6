package io.millrace.write.lenientparsing;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.bytes.CompositeBytesReference;
import org.opensearch.core.xcontent.MediaType;

/**
 * Documents as trees of maps, lists and values, read with more patience than OpenSearch has.
 *
 * <p>OpenSearch's reader refuses a document as a whole for one invalid UTF-8 sequence, a name that
 * stands twice, a number of more than 1,000 characters, more than 1,000 levels, an unescaped
 * control character or a bare {@code NaN} (JsonXContent#jsonFactory and Jackson's
 * StreamReadConstraints). This reader takes all of those, and text that is nearly JSON ({@link
 * NearJson}). What is not JSON at all stays refused.
 *
 * <p>Values are {@code Map<String, Object>}, {@code List<Object>}, String, Boolean, {@link Num} or
 * null.
 */
final class LooseJson {
  /** Below this level a value is kept as the text of its JSON. */
  static final int LEVELS = 100;

  /** Numbers of more characters are kept as text: OpenSearch reads none of them back. */
  private static final int NUMBER_CHARACTERS = 1000;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
          .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .streamWriteConstraints(
              StreamWriteConstraints.builder().maxNestingDepth(Integer.MAX_VALUE).build())
          .build();

  private LooseJson() {}

  /** A number as it was written, so that a field that keeps its text keeps that. */
  record Num(String text) {
    @Override
    public String toString() {
      return text;
    }
  }

  /** Whether OpenSearch can read these bytes back, for {@code _source} filtering or an update. */
  static boolean readable(BytesReference source, MediaType type) {
    try {
      XContentHelper.convertToMap(source, true, type);
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /**
   * Reads a document.
   *
   * @return its tree; null when it is no object or cannot be read at all
   */
  @SuppressWarnings("unchecked")
  static @Nullable Map<String, Object> read(BytesReference source, MediaType type) {
    try {
      if (type != XContentType.JSON) {
        return (Map<String, Object>) plain(XContentHelper.convertToMap(source, true, type).v2());
      }
      // a Reader puts U+FFFD in place of what is no UTF-8
      Map<String, Object> document =
          read(new InputStreamReader(source.streamInput(), StandardCharsets.UTF_8));
      return document != null
          ? document
          : read(
              new StringReader(
                  NearJson.mend(
                      new String(BytesReference.toBytes(source), StandardCharsets.UTF_8))));
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  private static @Nullable Map<String, Object> read(Reader json) {
    try (JsonParser parser = FACTORY.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return null;
      }
      Map<String, Object> document = object(parser, 1);
      return parser.nextToken() == null ? document : null;
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  private static Map<String, Object> object(JsonParser parser, int level) throws IOException {
    Map<String, Object> object = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      Object value = value(parser, level);
      if (object.containsKey(name)) {
        // both values of a name that stands twice
        List<Object> both = new ArrayList<>(asList(object.get(name)));
        both.addAll(asList(value));
        object.put(name, both);
      } else {
        object.put(name, value);
      }
    }
    return object;
  }

  private static @Nullable Object value(JsonParser parser, int level) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> level >= LEVELS ? text(parser) : object(parser, level + 1);
      case START_ARRAY -> level >= LEVELS ? text(parser) : list(parser, level + 1);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
        String number = parser.getText();
        // NaN and Infinity are no JSON: kept as text
        yield number.length() > NUMBER_CHARACTERS || number.endsWith("N") || number.endsWith("y")
            ? number
            : new Num(number);
      }
      case VALUE_TRUE -> Boolean.TRUE;
      case VALUE_FALSE -> Boolean.FALSE;
      case VALUE_NULL -> null;
      default -> parser.getText();
    };
  }

  private static List<Object> list(JsonParser parser, int level) throws IOException {
    List<Object> list = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      list.add(value(parser, level));
    }
    return list;
  }

  private static String text(JsonParser parser) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = FACTORY.createGenerator(text)) {
      out.copyCurrentStructure(parser);
    }
    return text.toString();
  }

  private static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> out = new LinkedHashMap<>();
      map.forEach((name, inner) -> out.put(String.valueOf(name), plain(inner)));
      return out;
    }
    if (value instanceof List<?> list) {
      List<Object> out = new ArrayList<>();
      list.forEach(inner -> out.add(plain(inner)));
      return out;
    }
    if (value instanceof Double number && !Double.isFinite(number)) {
      return number.toString();
    }
    if (value instanceof Number number) {
      return new Num(number.toString());
    }
    return value == null || value instanceof Boolean ? value : value.toString();
  }

  /** The elements of a list, or the one value. */
  @SuppressWarnings("unchecked")
  static List<Object> asList(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return (List<Object>) list;
    }
    List<Object> one = new ArrayList<>();
    one.add(value);
    return one;
  }

  /** Adds a field at the end of a JSON object that is not empty; all other bytes stay. */
  static BytesReference append(BytesReference object, String name, String value) {
    int end = object.length() - 1;
    while (object.get(end) != '}') {
      end--;
    }
    BytesReference field = new BytesArray(",\"" + name + "\":\"" + value + "\"}");
    return new BytesArray(
        BytesReference.toBytes(CompositeBytesReference.of(object.slice(0, end), field)));
  }

  /** Writes a tree as JSON. */
  static BytesReference write(Map<String, Object> document) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
      write(out, document);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return new BytesArray(bytes.toByteArray());
  }

  private static void write(JsonGenerator out, @Nullable Object value) throws IOException {
    if (value instanceof Map<?, ?> map) {
      out.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.writeFieldName(whole((String) entry.getKey()));
        write(out, entry.getValue());
      }
      out.writeEndObject();
    } else if (value instanceof List<?> list) {
      out.writeStartArray();
      for (Object inner : list) {
        write(out, inner);
      }
      out.writeEndArray();
    } else if (value instanceof Num number) {
      out.writeNumber(number.text());
    } else if (value instanceof Boolean flag) {
      out.writeBoolean(flag);
    } else if (value == null) {
      out.writeNull();
    } else {
      out.writeString(whole(value.toString()));
    }
  }

  /** Half of a surrogate pair has no UTF-8; U+FFFD stands for it. */
  private static String whole(String text) {
    StringBuilder mended = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        mended = mended == null ? new StringBuilder(text) : mended;
        mended.setCharAt(i, '\uFFFD');
      }
    }
    return mended == null ? text : mended.toString();
  }
}
