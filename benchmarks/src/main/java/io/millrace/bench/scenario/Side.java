package io.millrace.bench.scenario;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One side of a comparison: what runs, and with which settings.
 *
 * @param label its name in tables and charts, and what goals refer to
 * @param contender what runs
 * @param jvmProfile which of the tree's {@code config/jvm-profiles} gives the JVM flags; {@code
 *     stock} for those of {@code config/jvm.options.d}; empty for the JVM's own defaults
 * @param nodeSettings static settings for the node's configuration
 * @param clusterSettings dynamic settings, set once the node answers; feature switches are among
 *     them, so a tree without the feature refuses them by name and the side is reported as not
 *     available
 * @param indexSettings settings of the index
 * @param mapping the mapping in place of the workload's, or null
 * @param textGroup answers of text queries are compared only among sides of one group: another
 *     analyzer finds other documents, by design
 * @param keepsSource whether hits carry the bytes that were sent; a side that drops or derives
 *     {@code _source} is compared without it
 */
public record Side(
    String label,
    Contender contender,
    String jvmProfile,
    Map<String, String> nodeSettings,
    Map<String, String> clusterSettings,
    Map<String, Object> indexSettings,
    @Nullable Map<String, Object> mapping,
    String textGroup,
    boolean keepsSource) {

  /** Stock with defaults: one shard, no replica. */
  public static Side stock(String label) {
    return plain(label, Contender.STOCK);
  }

  /** The distribution with every switch as it comes: one shard, no replica. */
  public static Side millrace(String label) {
    return plain(label, Contender.MILLRACE);
  }

  /** The bare IndexWriter on the workload's fields. */
  public static Side rawLucene() {
    return plain("raw Lucene", Contender.RAW_LUCENE);
  }

  private static Side plain(String label, Contender contender) {
    Map<String, Object> index = new LinkedHashMap<>();
    index.put("number_of_shards", 1);
    index.put("number_of_replicas", 0);
    return new Side(label, contender, "", Map.of(), Map.of(), index, null, "standard", true);
  }

  /** The same side with the JVM flags of a profile; see the record's {@code jvmProfile}. */
  public Side jvm(String profile) {
    return new Side(
        label,
        contender,
        profile,
        nodeSettings,
        clusterSettings,
        indexSettings,
        mapping,
        textGroup,
        keepsSource);
  }

  /** The same side with an index setting; the prefix {@code index.} may be left out. */
  public Side index(String name, Object value) {
    return new Side(
        label,
        contender,
        jvmProfile,
        nodeSettings,
        clusterSettings,
        with(indexSettings, name, value),
        mapping,
        textGroup,
        keepsSource);
  }

  /** The same side without an index setting. */
  public Side withoutIndex(String name) {
    Map<String, Object> rest = new LinkedHashMap<>(indexSettings);
    rest.remove(name);
    return new Side(
        label,
        contender,
        jvmProfile,
        nodeSettings,
        clusterSettings,
        rest,
        mapping,
        textGroup,
        keepsSource);
  }

  /** The same side with a dynamic cluster setting. */
  public Side cluster(String name, String value) {
    return new Side(
        label,
        contender,
        jvmProfile,
        nodeSettings,
        with(clusterSettings, name, value),
        indexSettings,
        mapping,
        textGroup,
        keepsSource);
  }

  /** The same side with a static node setting. */
  public Side node(String name, String value) {
    return new Side(
        label,
        contender,
        jvmProfile,
        with(nodeSettings, name, value),
        clusterSettings,
        indexSettings,
        mapping,
        textGroup,
        keepsSource);
  }

  /** The same side with a mapping of its own. */
  public Side mapping(Map<String, Object> own) {
    return new Side(
        label,
        contender,
        jvmProfile,
        nodeSettings,
        clusterSettings,
        indexSettings,
        own,
        textGroup,
        keepsSource);
  }

  /** The same side whose text answers are compared only within another group. */
  public Side textGroup(String group) {
    return new Side(
        label,
        contender,
        jvmProfile,
        nodeSettings,
        clusterSettings,
        indexSettings,
        mapping,
        group,
        keepsSource);
  }

  /** The same side whose hits are compared without their source. */
  public Side withoutSource() {
    return new Side(
        label,
        contender,
        jvmProfile,
        nodeSettings,
        clusterSettings,
        indexSettings,
        mapping,
        textGroup,
        false);
  }

  private static <V> Map<String, V> with(Map<String, V> map, String name, V value) {
    Map<String, V> more = new LinkedHashMap<>(map);
    more.put(name, value);
    return more;
  }
}
