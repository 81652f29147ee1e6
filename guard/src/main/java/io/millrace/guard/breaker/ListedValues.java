package io.millrace.guard.breaker;

import java.io.IOException;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Map;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.LoggingDeprecationHandler;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.NamedWriteable;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.common.io.stream.Writeable.Writer;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.TermsQueryBuilder;
import org.opensearch.index.query.WrapperQueryBuilder;

/**
 * How many values stand in the lists of a request: a stream that keeps nothing but their number.
 * What the request is made of does not matter, as long as it can be sent to another node: the lists
 * of ids, terms, fields, parameters and vectors are seen as they are written, and so are the
 * coordinates of shapes.
 *
 * <p>The values of {@code terms} queries do not count. An index says how many it takes ({@code
 * index.max_terms_count}). Nor do clauses, which {@code indices.query.bool.max_clause_count}
 * bounds.
 */
final class ListedValues extends StreamOutput {
  private final NamedXContentRegistry queries;
  private long values;

  /** What was written last; what many documents have in common counts once. */
  private @Nullable Writeable lastPart;

  private String @Nullable [] lastTexts;

  private ListedValues(NamedXContentRegistry queries) {
    this.queries = queries;
  }

  /**
   * The number of them.
   *
   * @param queries that the node can parse, for those that come wrapped as bytes
   */
  static long of(Writeable request, NamedXContentRegistry queries) {
    ListedValues listed = new ListedValues(queries);
    try {
      request.writeTo(listed);
    } catch (IOException | RuntimeException e) {
      return listed.values; // the rest cannot be sent before it is rewritten
    }
    return listed.values;
  }

  @Override
  public void writeNamedWriteable(NamedWriteable named) throws IOException {
    if (named instanceof WrapperQueryBuilder wrapper) {
      unwrap(wrapper.source());
    } else if (!(named instanceof TermsQueryBuilder)) {
      named.writeTo(this);
    }
  }

  private void unwrap(byte[] source) throws IOException {
    try (XContentParser parser =
        MediaTypeRegistry.xContent(source)
            .xContent()
            .createParser(queries, LoggingDeprecationHandler.INSTANCE, source)) {
      writeNamedWriteable(AbstractQueryBuilder.parseInnerQueryBuilder(parser));
    }
  }

  /** A single value is no list; lists within lists and maps are. */
  @Override
  public void writeGenericValue(@Nullable Object value) {
    values += inLists(value, 0);
  }

  private static long inLists(@Nullable Object value, int inList) {
    long sum = 0;
    if (value instanceof Map<?, ?> map) {
      for (Object each : map.values()) {
        sum += inLists(each, 0);
      }
    } else if (value instanceof Collection<?> list) {
      for (Object each : list) {
        sum += inLists(each, 1);
      }
    } else if (value instanceof Object[] array) {
      for (Object each : array) {
        sum += inLists(each, 1);
      }
    } else if (value != null && value.getClass().isArray()) {
      return value instanceof byte[] ? inList : Array.getLength(value);
    } else {
      return inList;
    }
    return sum;
  }

  @Override
  public void writeMapWithConsistentOrder(@Nullable Map<String, ?> map) {
    writeGenericValue(map);
  }

  /** Elements that have a name are clauses, aggregations or the like. */
  @Override
  public <T> void writeCollection(Collection<T> collection, Writer<T> writer) throws IOException {
    for (T each : collection) {
      values += each instanceof NamedWriteable ? 0 : 1;
      writer.write(this, each);
    }
  }

  @Override
  public <T> void writeArray(Writer<T> writer, T[] array) throws IOException {
    for (T each : array) {
      values += each instanceof NamedWriteable ? 0 : 1;
      writer.write(this, each);
    }
  }

  /** The source filter of all documents of a multi-get is one, whatever their number. */
  @Override
  public <T extends Writeable> void writeOptionalWriteable(Writer<T> writer, @Nullable T part)
      throws IOException {
    if (part != null && part != lastPart) {
      lastPart = part;
      writer.write(this, part);
    }
  }

  @Override
  public void writeStringArray(String[] array) {
    if (array != lastTexts) {
      values += array.length;
      lastTexts = array;
    }
  }

  @Override
  public void writeStringArrayNullable(String @Nullable [] array) {
    values += array == null ? 0 : array.length;
  }

  @Override
  public void writeIntArray(int[] array) {
    values += array.length;
  }

  @Override
  public void writeVIntArray(int[] array) {
    values += array.length;
  }

  @Override
  public void writeLongArray(long[] array) {
    values += array.length;
  }

  @Override
  public void writeVLongArray(long[] array) {
    values += array.length;
  }

  @Override
  public void writeFloatArray(float[] array) {
    values += array.length;
  }

  @Override
  public void writeDoubleArray(double[] array) {
    values += array.length;
  }

  /** A coordinate: what writes shapes writes them one by one (GeometryIO at 3.8.0). */
  @Override
  public void writeDouble(double value) {
    values++;
  }

  /** A term: the lists of aggregations are written one by one (IncludeExclude at 3.8.0). */
  @Override
  public void writeBytesRef(BytesRef bytes) {
    values++;
  }

  @Override
  public void writeBytesReference(@Nullable BytesReference bytes) {}

  @Override
  public void writeString(String text) {}

  @Override
  public void writeByte(byte b) {}

  @Override
  public void writeBytes(byte[] b, int offset, int length) {}

  @Override
  public void flush() {}

  @Override
  public void close() {}

  @Override
  public void reset() {}
}
