package io.millrace.bench.scenario;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
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
 * @param way how the node is configured and loaded
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
    boolean keepsSource,
    Way way) {

  /**
   * How near a side is to what a user has.
   *
   * @param shipped whether the node has the {@code opensearch.yml} of its tree, or only the HTTP
   *     server that it names
   * @param byIngest whether {@code millrace ingest} loads a file of the documents, or bulks do
   * @param names fields of the workload whose values this side's mapping has under another name
   */
  public record Way(boolean shipped, boolean byIngest, Map<String, String> names) {
    static final Way PLAIN = new Way(false, false, Map.of());
  }

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
    return new Side(
        label, contender, "", Map.of(), Map.of(), index, null, "standard", true, Way.PLAIN);
  }

  /** The same side with the JVM flags of a profile; see the record's {@code jvmProfile}. */
  public Side jvm(String profile) {
    return changed(draft -> draft.jvmProfile = profile);
  }

  /** The same side with an index setting; the prefix {@code index.} may be left out. */
  public Side index(String name, Object value) {
    return changed(draft -> draft.indexSettings = with(indexSettings, name, value));
  }

  /** The same side without an index setting. */
  public Side withoutIndex(String name) {
    Map<String, Object> rest = new LinkedHashMap<>(indexSettings);
    rest.remove(name);
    return changed(draft -> draft.indexSettings = rest);
  }

  /** The same side with a dynamic cluster setting. */
  public Side cluster(String name, String value) {
    return changed(draft -> draft.clusterSettings = with(clusterSettings, name, value));
  }

  /** The same side with a static node setting. */
  public Side node(String name, String value) {
    return changed(draft -> draft.nodeSettings = with(nodeSettings, name, value));
  }

  /** The same side with a mapping of its own. */
  public Side mapping(Map<String, Object> own) {
    return changed(draft -> draft.mapping = own);
  }

  /** The same side whose text answers are compared only within another group. */
  public Side textGroup(String group) {
    return changed(draft -> draft.textGroup = group);
  }

  /** The same side whose hits are compared without their source. */
  public Side withoutSource() {
    return changed(draft -> draft.keepsSource = false);
  }

  private Side way(Way other) {
    return changed(draft -> draft.way = other);
  }

  /** The same side under another label. */
  public Side labelled(String other) {
    return changed(draft -> draft.label = other);
  }

  /** The same side on a node with every line of its tree's {@code opensearch.yml}. */
  public Side asShipped() {
    return way(new Way(true, way.byIngest(), way.names()));
  }

  /** The same side, loaded by {@code millrace ingest} from a file. */
  public Side byIngest() {
    return way(new Way(way.shipped(), true, way.names()));
  }

  /** The same side, whose mapping has fields of the workload under other names. */
  public Side named(Map<String, String> names) {
    return way(new Way(way.shipped(), way.byIngest(), Map.copyOf(names)));
  }

  private Side changed(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.side();
  }

  private static <V> Map<String, V> with(Map<String, V> map, String name, V value) {
    Map<String, V> more = new LinkedHashMap<>(map);
    more.put(name, value);
    return more;
  }

  /** A side of which some parts are about to change. */
  private static final class Draft {
    private final Contender contender;
    private String label;
    private String jvmProfile;
    private Map<String, String> nodeSettings;
    private Map<String, String> clusterSettings;
    private Map<String, Object> indexSettings;
    private @Nullable Map<String, Object> mapping;
    private String textGroup;
    private boolean keepsSource;
    private Way way;

    Draft(Side side) {
      contender = side.contender;
      label = side.label;
      jvmProfile = side.jvmProfile;
      nodeSettings = side.nodeSettings;
      clusterSettings = side.clusterSettings;
      indexSettings = side.indexSettings;
      mapping = side.mapping;
      textGroup = side.textGroup;
      keepsSource = side.keepsSource;
      way = side.way;
    }

    Side side() {
      return new Side(
          label,
          contender,
          jvmProfile,
          nodeSettings,
          clusterSettings,
          indexSettings,
          mapping,
          textGroup,
          keepsSource,
          way);
    }
  }
}
