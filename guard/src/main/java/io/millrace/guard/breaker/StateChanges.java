package io.millrace.guard.breaker;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest.AliasActions;
import org.opensearch.action.admin.indices.create.CreateIndexRequest;
import org.opensearch.action.admin.indices.template.put.PutIndexTemplateRequest;
import org.opensearch.action.support.clustermanager.ClusterManagerNodeRequest;
import org.opensearch.cluster.metadata.IndexAbstraction;
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
 * one (TransportIndicesAliasesAction#resolvedAliasActions at 3.8.0); to remove one counts for the
 * indices that have it.
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
      Map<String, Long> known = new HashMap<>();
      for (AliasActions action : aliases.getAliasActions()) {
        sum += Math.max(1, changes(action, metadata, known));
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

  private static long changes(
      AliasActions action, @Nullable Metadata metadata, Map<String, Long> known) {
    long indices = 0;
    for (String name : action.indices()) {
      indices += metadata == null ? 1 : known.computeIfAbsent(name, n -> indices(n, metadata));
    }
    if (action.aliases().length == 0) {
      return indices;
    }
    boolean removes = action.actionType() == AliasActions.Type.REMOVE;
    long sum = 0;
    for (String alias : action.aliases()) {
      sum += removes && metadata != null ? Math.min(indices, carriers(alias, metadata)) : indices;
    }
    return sum;
  }

  /** How many indices a name or a pattern stands for. */
  private static long indices(String name, Metadata metadata) {
    if (Regex.isMatchAllPattern(name) || Metadata.ALL.equals(name)) {
      return metadata.indices().size();
    }
    if (!Regex.isSimpleMatchPattern(name)) {
      return 1;
    }
    return name.startsWith("-")
        ? 0
        : metadata.indices().keySet().stream().filter(i -> Regex.simpleMatch(name, i)).count();
  }

  /** On how many indices an alias is that is to be removed; at most, where it is a pattern. */
  private static long carriers(String alias, Metadata metadata) {
    if (Regex.isSimpleMatchPattern(alias) || Metadata.ALL.equals(alias)) {
      return Long.MAX_VALUE;
    }
    IndexAbstraction known = metadata.getIndicesLookup().get(alias);
    return known == null ? 0 : known.getIndices().size();
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
