package io.millrace.guard.breaker;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest.AliasActions;
import org.opensearch.action.admin.indices.create.CreateIndexRequest;
import org.opensearch.action.admin.indices.template.put.PutIndexTemplateRequest;
import org.opensearch.action.support.clustermanager.ClusterManagerNodeRequest;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.regex.Regex;
import org.opensearch.core.common.io.stream.NamedWriteable;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable.Writer;

/**
 * How many changes of the cluster's state one request asks for: a stream that keeps nothing but the
 * number of settings, entries of maps and elements of lists that are written to it. The values
 * within one setting are one change, and so is a mapping, which {@code
 * index.mapping.total_fields.limit} bounds.
 *
 * <p>Actions on aliases count once for each alias on each index, because stock makes them one by
 * one (TransportIndicesAliasesAction#resolvedAliasActions at 3.8.0).
 */
final class StateChanges extends StreamOutput {
  private long changes;

  private StateChanges() {}

  /**
   * The number of changes.
   *
   * @param metadata of the cluster, whose indices patterns stand for; {@code null} before it is
   *     known
   */
  static long of(ClusterManagerNodeRequest<?> request, @Nullable Metadata metadata) {
    if (request instanceof IndicesAliasesRequest aliases) {
      long sum = 0;
      for (AliasActions action : aliases.getAliasActions()) {
        sum += indices(action, metadata) * Math.max(1, action.aliases().length);
      }
      return sum;
    }
    StateChanges written = new StateChanges();
    try {
      request.writeTo(written);
    } catch (IOException | RuntimeException e) {
      return written.changes; // stock words what is missing in it
    }
    // those of these two are no list of the stream's
    Collection<?> aliases =
        request instanceof CreateIndexRequest index
            ? index.aliases()
            : request instanceof PutIndexTemplateRequest template ? template.aliases() : Set.of();
    return written.changes + aliases.size();
  }

  private static long indices(AliasActions action, @Nullable Metadata metadata) {
    long sum = 0;
    for (String name : action.indices()) {
      if (metadata == null || !(Regex.isSimpleMatchPattern(name) || Metadata.ALL.equals(name))) {
        sum++;
      } else if (Regex.isMatchAllPattern(name) || Metadata.ALL.equals(name)) {
        sum += metadata.indices().size();
      } else if (!name.startsWith("-")) {
        sum += metadata.indices().keySet().stream().filter(i -> Regex.simpleMatch(name, i)).count();
      }
    }
    return sum;
  }

  /** The value of a setting, say. */
  @Override
  public void writeGenericValue(@Nullable Object value) {
    changes++;
  }

  @Override
  public void writeMap(@Nullable Map<String, Object> map) {
    changes += map == null ? 0 : map.size();
  }

  @Override
  public <K, V> void writeMap(Map<K, V> map, Writer<K> keys, Writer<V> values) throws IOException {
    changes += map.size();
    super.writeMap(map, keys, values);
  }

  @Override
  public <T> void writeCollection(Collection<T> collection, Writer<T> writer) throws IOException {
    changes += collection.size();
    super.writeCollection(collection, writer);
  }

  /** A command to allocate a shard, say. */
  @Override
  public void writeNamedWriteable(NamedWriteable named) throws IOException {
    changes++;
    named.writeTo(this);
  }

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
