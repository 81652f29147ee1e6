package io.millrace.doctor.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One open index: its own settings and what its shards counted, twice.
 *
 * @param settings those that are set for it, keys in full; defaults are not among them
 * @param first its part of the first answer to {@link Probe#INDEX_STATS}
 * @param stats its part of the last one
 * @param mapping its mapping; missing when it was not asked for
 * @param shards its copies
 */
public record Index(
    String name,
    Map<String, String> settings,
    JsonNode first,
    JsonNode stats,
    JsonNode mapping,
    List<Shard> shards) {
  private static final Pattern DATE =
      Pattern.compile("(?<!\\d)20\\d\\d[._-]?(0[1-9]|1[0-2])([._-]?([0-2]\\d|3[01]))?(?!\\d)");
  private static final Pattern BEHIND =
      Pattern.compile("\\.ds-(.+?)(?:-\\d{4}\\.\\d{2}\\.\\d{2})?-\\d{6}");
  private static final Pattern GENERATION = Pattern.compile("-\\d{6}$");

  /** A setting of its own; null when the default holds. */
  public @Nullable String setting(String key) {
    return settings.get(key);
  }

  /** A name with a dot in front is the server's or a plugin's, but for those of data streams. */
  public boolean system() {
    return name.startsWith(".") && !name.startsWith(".ds-");
  }

  /** The data stream that it stands behind, by its name; null when there is none. */
  public @Nullable String stream() {
    Matcher behind = BEHIND.matcher(name);
    return behind.matches() ? behind.group(1) : null;
  }

  /** Whether its name holds a day or a month. */
  public boolean dated() {
    return DATE.matcher(name).find();
  }

  /** Whether a rollover made it: its name ends in six digits. */
  public boolean rolled() {
    return GENERATION.matcher(name).find();
  }

  /** Whether its name or date says that it holds logs, traces or figures. */
  public boolean logs() {
    return dated()
        || rolled()
        || name.matches(
            "(?i)(.*[._-])?(logs?|logging|logstash|filebeat|fluentd?|traces?|spans?|"
                + "skywalking|sw|segment|jaeger|zipkin|metrics?|audit)([._-].*)?");
  }

  /** Its name with every date and generation replaced by a star: the indices of one application. */
  public String family() {
    return GENERATION.matcher(DATE.matcher(name).replaceAll("*")).replaceAll("-*");
  }

  public int primaries() {
    return number("index.number_of_shards");
  }

  public int replicas() {
    return number("index.number_of_replicas");
  }

  private int number(String key) {
    String value = settings.get(key);
    return value != null && value.matches("\\d{1,6}") ? Integer.parseInt(value) : 0;
  }

  public long docs() {
    return Json.number(stats, "primaries.docs.count");
  }

  /** Bytes of the primaries. */
  public long bytes() {
    return Json.number(stats, "primaries.store.size_in_bytes");
  }

  /**
   * Whether one of several primaries may be so large that a check speaks of it, which {@link
   * Probe#INDEX_STATS} does not tell.
   */
  boolean mayHoldLargeShards() {
    return primaries() > 1 && (bytes() > Shard.LARGE_BYTES || docs() > Shard.LARGE_DOCS);
  }

  public long stat(String path) {
    return Json.number(stats, path);
  }

  /** How much a counter grew between the two answers. */
  public long grew(String path) {
    return first.isMissingNode() ? 0 : Math.max(0, stat(path) - Json.number(first, path));
  }

  /** Documents written between the two answers. */
  public long written() {
    return grew("primaries.indexing.index_total");
  }

  /** When it was created, in milliseconds since 1970; 0 when that is unknown. */
  public long created() {
    String created = settings.get("index.creation_date");
    return created == null || !created.matches("\\d{1,15}") ? 0 : Long.parseLong(created);
  }

  /** Milliseconds since it was created, by the clock that the snapshot was taken with. */
  public long ageMillis(long now) {
    return created() == 0 ? 0 : now - created();
  }

  public String statPath(String path) {
    return "GET /" + name + "/_stats: indices." + name + "." + path;
  }

  public String settingPath(String key) {
    return "GET /" + name + "/_settings?flat_settings=true: " + key;
  }
}
