package io.millrace.pipelines.retention;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.opensearch.action.admin.indices.rollover.RolloverInfo;
import org.opensearch.action.admin.indices.stats.CommonStats;
import org.opensearch.action.admin.indices.stats.IndexStats;
import org.opensearch.action.admin.indices.stats.IndicesStatsResponse;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.AliasMetadata;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.unit.TimeValue;

/**
 * An index that a rule may be about: one with a day in its name, or one that was rolled over.
 *
 * @param name of the index
 * @param uuid of the index: a later one of the same name is another
 * @param stream the data stream that it belongs to; empty for none
 * @param writing whether it takes what is written to a data stream or an alias
 * @param held whether its settings say that it stays
 * @param created milliseconds since the epoch
 * @param end when it was written to for the last time by its name or its rollover, milliseconds
 *     since the epoch; -1 where nothing says so
 * @param bytes of all copies
 * @param documents in the primaries
 */
record Candidate(
    String name,
    String uuid,
    String stream,
    boolean writing,
    boolean held,
    long created,
    long end,
    long bytes,
    long documents) {

  private static final Pattern DAY =
      Pattern.compile("(?<!\\d)(\\d{4})([.\\-_]?)(\\d{2})\\2(\\d{2})(?!\\d)");

  /** Names may be in local time: a day ends last twelve hours after it has ended in UTC. */
  private static final long ZONES = TimeValue.timeValueHours(12).millis();

  /** The name that rules are written for. */
  String known() {
    return stream.isEmpty() ? name : stream;
  }

  /**
   * All of the cluster. Indices of the system, those whose name begins with a dot, are none, but
   * for those behind data streams.
   */
  static List<Candidate> all(ClusterState state, IndicesStatsResponse sizes) {
    Map<String, IndexStats> stats = sizes.getIndices();
    List<Candidate> all = new ArrayList<>();
    for (IndexMetadata index : state.metadata()) {
      String name = index.getIndex().getName();
      IndexAbstraction found = state.metadata().getIndicesLookup().get(name);
      IndexAbstraction.DataStream stream = found == null ? null : found.getParentDataStream();
      if (index.isSystem() || (stream == null && name.startsWith("."))) {
        continue;
      }
      IndexStats its = stats.get(name);
      long bytes = 0;
      long documents = 0;
      if (its != null) {
        CommonStats total = its.getTotal();
        bytes = total.getStore() == null ? 0 : total.getStore().sizeInBytes();
        documents =
            its.getPrimaries().getDocs() == null ? 0 : its.getPrimaries().getDocs().getCount();
      }
      all.add(
          new Candidate(
              name,
              index.getIndexUUID(),
              stream == null ? "" : stream.getName(),
              writing(state, index),
              RetentionFeature.HOLD.get(index.getSettings()),
              index.getCreationDate(),
              end(index, name, stream != null),
              bytes,
              documents));
    }
    return all;
  }

  /** Whether an index takes what is written to its data stream or to an alias. */
  static boolean writing(ClusterState state, IndexMetadata index) {
    IndexAbstraction found = state.metadata().getIndicesLookup().get(index.getIndex().getName());
    IndexAbstraction.DataStream stream = found == null ? null : found.getParentDataStream();
    return stream != null
        ? stream.getWriteIndex().getIndex().equals(index.getIndex())
        : index.getAliases().values().stream()
            .anyMatch(alias -> Boolean.TRUE.equals(alias.writeIndex()) || alone(state, alias));
  }

  /** An alias of one index takes writes without saying so. */
  private static boolean alone(ClusterState state, AliasMetadata alias) {
    IndexAbstraction found = state.metadata().getIndicesLookup().get(alias.alias());
    return found != null && found.getIndices().size() == 1;
  }

  private static long end(IndexMetadata index, String name, boolean stream) {
    long rolled =
        index.getRolloverInfos().values().stream()
            .mapToLong(RolloverInfo::getTime)
            .max()
            .orElse(-1);
    return rolled >= 0 || stream ? rolled : endOfDay(name);
  }

  /** When the last day that a name holds is over everywhere; -1 for a name without a day. */
  static long endOfDay(String name) {
    long end = -1;
    Matcher matcher = DAY.matcher(name);
    while (matcher.find()) {
      try {
        end =
            LocalDate.of(
                        Integer.parseInt(matcher.group(1)),
                        Integer.parseInt(matcher.group(3)),
                        Integer.parseInt(matcher.group(4)))
                    .plusDays(1)
                    .atStartOfDay(ZoneOffset.UTC)
                    .toInstant()
                    .toEpochMilli()
                + ZONES;
      } catch (DateTimeException e) {
        // digits that are no day
      }
    }
    return end;
  }
}
