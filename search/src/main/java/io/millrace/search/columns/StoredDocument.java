package io.millrace.search.columns;

import io.millrace.kernel.slot.PartialSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.LoggingDeprecationHandler;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;
import org.opensearch.index.mapper.IdFieldMapper;
import org.opensearch.index.mapper.SourceFieldMapper;
import org.opensearch.index.mapper.Uid;

/**
 * The stored fields of one document, read once for all columns that need them. Of {@code _source}
 * only the paths that are asked for are parsed, and where a segment keeps it by field they are read
 * alone; everything else is skipped.
 */
final class StoredDocument {
  private final Set<String> stored = new HashSet<>();
  private final Set<String> paths = new HashSet<>();

  /** Objects on the way to a path. */
  private final Set<String> parents = new HashSet<>();

  private final Map<String, List<String>> values = new HashMap<>();
  private @Nullable StoredFields fields;
  private int document = -1;

  /** The values of a stored field are needed. */
  void needStored(String field) {
    stored.add(field);
  }

  /** The values at a path of {@code _source} are needed. */
  void needPath(String path) {
    stored.add(SourceFieldMapper.NAME);
    paths.add(path);
    for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      parents.add(path.substring(0, dot));
    }
  }

  void segment(LeafReaderContext segment) throws IOException {
    fields = segment.reader().storedFields();
    document = -1;
  }

  /** The values of a field or path in a document of this segment. */
  List<String> values(int wanted, String name) throws IOException {
    StoredFields now = fields;
    if (wanted != document && now != null) {
      values.clear();
      now.document(wanted, new Visitor());
      document = wanted;
    }
    return values.getOrDefault(name, List.of());
  }

  private void put(String name, String value) {
    values.computeIfAbsent(name, none -> new ArrayList<>(1)).add(value);
  }

  private final class Visitor extends StoredFieldVisitor implements PartialSource {
    @Override
    public boolean wants(String key) {
      return part(key) != Part.NONE;
    }

    @Override
    public Part part(String path) {
      return paths.contains(path) ? Part.ALL : parents.contains(path) ? Part.SOME : Part.NONE;
    }

    @Override
    public Status needsField(FieldInfo info) {
      return stored.contains(info.name) ? Status.YES : Status.NO;
    }

    @Override
    public void binaryField(FieldInfo info, byte[] value) throws IOException {
      if (info.name.equals(SourceFieldMapper.NAME)) {
        parse(value);
      } else if (info.name.equals(IdFieldMapper.NAME)) {
        put(info.name, Uid.decodeId(value));
      } else {
        put(info.name, new BytesRef(value).utf8ToString());
      }
    }

    @Override
    public void stringField(FieldInfo info, String value) {
      put(info.name, value);
    }

    @Override
    public void intField(FieldInfo info, int value) {
      put(info.name, Integer.toString(value));
    }

    @Override
    public void longField(FieldInfo info, long value) {
      put(info.name, Long.toString(value));
    }

    @Override
    public void floatField(FieldInfo info, float value) {
      put(info.name, Float.toString(value));
    }

    @Override
    public void doubleField(FieldInfo info, double value) {
      put(info.name, Double.toString(value));
    }
  }

  private void parse(byte[] source) throws IOException {
    BytesArray bytes = new BytesArray(source);
    try (XContentParser parser =
        XContentHelper.createParser(
            NamedXContentRegistry.EMPTY,
            LoggingDeprecationHandler.INSTANCE,
            bytes,
            MediaTypeRegistry.xContentType(bytes))) {
      parser.nextToken();
      object(parser, "");
    }
  }

  private void object(XContentParser parser, String prefix) throws IOException {
    while (parser.nextToken() == Token.FIELD_NAME) {
      String path = prefix + parser.currentName();
      parser.nextToken();
      if (paths.contains(path)) {
        take(parser, path);
      } else if (parents.contains(path)) {
        descend(parser, path);
      } else {
        parser.skipChildren();
      }
    }
  }

  private void descend(XContentParser parser, String path) throws IOException {
    if (parser.currentToken() == Token.START_OBJECT) {
      object(parser, path + ".");
    } else if (parser.currentToken() == Token.START_ARRAY) {
      while (parser.nextToken() != Token.END_ARRAY) {
        descend(parser, path);
      }
    }
  }

  private void take(XContentParser parser, String path) throws IOException {
    Token token = parser.currentToken();
    if (token == Token.START_ARRAY) {
      while (parser.nextToken() != Token.END_ARRAY) {
        take(parser, path);
      }
    } else if (token == Token.START_OBJECT) {
      descend(parser, path);
    } else if (token != Token.VALUE_NULL) {
      put(path, parser.text());
    }
  }
}
