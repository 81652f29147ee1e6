package io.millrace.write.logtext;

import io.millrace.kernel.slot.HoleCondition;
import io.millrace.kernel.slot.OutlinedSource;
import io.millrace.kernel.slot.SourceOutlines;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.StoredFieldDataInput;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchParseException;
import org.opensearch.common.CheckedBiConsumer;
import org.opensearch.common.lucene.index.SequentialStoredFieldsLeafReader;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.mapper.SourceFieldMapper;
import org.opensearch.index.mapper.ValueFetcher;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.lookup.SourceLookup;

/**
 * The values of a field in the sources of a segment's documents, as stock's fetcher of values gives
 * them. Where the field stands at the top of a JSON object and holds one string, the source is read
 * up to there and no further.
 */
final class FieldValues {
  private static final int KEEP = 64 * 1024;

  private final Set<String> paths;
  private final @Nullable String top;
  private final ValueFetcher fetcher;
  private final LeafReader reader;
  private final SourceLookup lookup = new SourceLookup();
  private final SourceVisitor visitor = new SourceVisitor();
  private @Nullable CheckedBiConsumer<Integer, StoredFieldVisitor, IOException> stored;

  /**
   * Where a field's values stand, and how they are got. Equal for equal fields of one index.
   *
   * @param field its name
   * @param paths where its values stand in a source
   * @param fetcher stock's, which keeps no context
   */
  record Source(String field, Set<String> paths, ValueFetcher fetcher) {
    static Source of(LogTextFieldType type, QueryShardContext context) {
      return new Source(
          type.name(),
          context.sourcePath(type.name()),
          type.valueFetcher(context, context.lookup(), null));
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Source that && field.equals(that.field) && paths.equals(that.paths);
    }

    @Override
    public int hashCode() {
      return 31 * field.hashCode() + paths.hashCode();
    }
  }

  FieldValues(Source source, LeafReader reader) {
    this(source.paths, source.fetcher, reader);
  }

  private FieldValues(Set<String> paths, ValueFetcher fetcher, LeafReader reader) {
    this.paths = paths;
    String path = paths.size() == 1 ? paths.iterator().next() : ".";
    this.top = path.indexOf('.') < 0 ? path : null;
    this.fetcher = fetcher;
    this.reader = reader;
  }

  /** All values at any of the field's paths, where no query says how to read them. */
  static FieldValues ofText(IndexedText text, LeafReader reader) {
    ValueFetcher fetcher =
        source -> {
          List<Object> values = new ArrayList<>();
          for (String path : text.paths()) {
            for (Object value : source.extractRawValues(path)) {
              if (value != null) {
                values.add(value.toString());
              }
            }
          }
          return values;
        };
    return new FieldValues(text.paths(), fetcher, reader);
  }

  /** Moves to a document and reads its source. */
  void read(int document) {
    visitor.read = false;
    visitor.decided = visitor.told(document);
    if (visitor.decided != SourceOutlines.UNKNOWN) {
      return;
    }
    try {
      stored().accept(document, visitor);
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    }
  }

  /**
   * What looks for a phrase in sources as they are; null where their values must be read. Then
   * {@link #look} is asked of each document, whose source may not be there to be read otherwise.
   */
  @Nullable SourceScan scan(@Nullable PhraseMatcher matcher) {
    visitor.asked = top == null || matcher == null ? null : matcher.scan(top);
    return visitor.asked;
  }

  /** Looks into the source of the document that was read. */
  SourceScan.Answer look(SourceScan scan) {
    if (visitor.decided != SourceOutlines.UNKNOWN) {
      return visitor.decided == SourceOutlines.HOLDS ? SourceScan.Answer.YES : SourceScan.Answer.NO;
    }
    return visitor.read ? scan.look(visitor.bytes, 0, visitor.length) : SourceScan.Answer.UNSEEN;
  }

  /** Of the document that was read; empty where it has no value that can be read. */
  List<String> values() {
    if (!visitor.read) {
      return List.of();
    }
    try {
      BytesArray source = new BytesArray(visitor.bytes, 0, visitor.length);
      String one = top == null ? null : atTop(source, top);
      if (one != null) {
        return List.of(one);
      }
      lookup.setSource(XContentHelper.convertToMap(source, false, (XContentType) null).v2());
      List<String> values = new ArrayList<>();
      for (Object value : fetcher.fetchValues(lookup)) {
        values.add((String) value);
      }
      return values;
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    }
  }

  private static OpenSearchParseException failed(Exception e) {
    return new OpenSearchParseException("failed to parse / load source", e); // stock's words
  }

  /** The string at the top of the source; null where a map of all of it has to say. */
  private @Nullable String atTop(BytesArray source, String name) throws IOException {
    if (source.length() == 0 || source.get(0) != '{') {
      return null;
    }
    try (XContentParser parser =
        XContentType.JSON
            .xContent()
            .createParser(
                NamedXContentRegistry.EMPTY,
                DeprecationHandler.IGNORE_DEPRECATIONS,
                source.array(),
                source.offset(),
                source.length())) {
      parser.nextToken();
      while (parser.nextToken() == XContentParser.Token.FIELD_NAME) {
        boolean here = parser.currentName().equals(name);
        XContentParser.Token value = parser.nextToken();
        if (here) {
          return value == XContentParser.Token.VALUE_STRING ? parser.text() : null;
        }
        parser.skipChildren();
      }
      return null;
    }
  }

  /** Candidates come in order, often side by side: stock reads them as a merge does, too. */
  private CheckedBiConsumer<Integer, StoredFieldVisitor, IOException> stored() throws IOException {
    CheckedBiConsumer<Integer, StoredFieldVisitor, IOException> known = stored;
    if (known == null) {
      known =
          reader instanceof SequentialStoredFieldsLeafReader sequential
              ? sequential.getSequentialStoredFieldsReader()::document
              : reader.storedFields()::document;
      stored = known;
    }
    return known;
  }

  /** Takes the source and stops: ids and routing lie elsewhere and would be decoded for nothing. */
  private final class SourceVisitor extends StoredFieldVisitor implements OutlinedSource {
    private byte[] bytes = new byte[1024];
    private int length;
    private boolean read;
    private byte decided;
    private @Nullable SourceScan asked;
    private @Nullable SourceOutlines outlines;

    @Override
    public Status needsField(FieldInfo field) {
      if (read || decided != SourceOutlines.UNKNOWN) {
        return Status.STOP;
      }
      return field.name.equals(SourceFieldMapper.NAME) ? Status.YES : Status.NO;
    }

    /** A path may begin with names that are joined by dots in the source, too. */
    @Override
    public boolean wants(String key) {
      for (String path : paths) {
        if (path.startsWith(key)
            && (path.length() == key.length() || path.charAt(key.length()) == '.')) {
          return true;
        }
      }
      return false;
    }

    @Override
    public int decidedBy(byte[] outline, int length) {
      return asked == null ? UNDECIDED : asked.outlines().holds(outline, 0, length);
    }

    @Override
    public HoleCondition condition(byte[] outline, int length) {
      return Objects.requireNonNull(asked).outlines().condition(outline, 0, length);
    }

    @Override
    public void decided(boolean holds) {
      decided = holds ? SourceOutlines.HOLDS : SourceOutlines.LACKS;
    }

    @Override
    public void outlines(SourceOutlines told) {
      outlines = told;
    }

    /** What is known of a document without reading it. */
    private byte told(int document) {
      return outlines == null ? SourceOutlines.UNKNOWN : outlines.of(document);
    }

    @Override
    public void binaryField(FieldInfo field, StoredFieldDataInput value) throws IOException {
      makeRoom(value.getLength());
      value.getDataInput().readBytes(bytes, 0, length);
      read = true;
    }

    @Override
    public void binaryField(FieldInfo field, byte[] value) {
      makeRoom(value.length);
      System.arraycopy(value, 0, bytes, 0, length);
      read = true;
    }

    /** Behind the source stand zeros ({@link SourceScan#look}). */
    private void makeRoom(int newLength) {
      length = newLength;
      int room = newLength + SourceScan.ZEROS;
      if (bytes.length < room || bytes.length > KEEP && room < KEEP) {
        bytes = new byte[ArrayUtil.oversize(Math.max(room, 1024), Byte.BYTES)];
      }
      Arrays.fill(bytes, newLength, room, (byte) 0);
    }
  }
}
