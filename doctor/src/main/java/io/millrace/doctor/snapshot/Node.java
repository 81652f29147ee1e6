package io.millrace.doctor.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One node: what it is ({@code GET /_nodes}) and what it counted ({@code GET /_nodes/stats}),
 * twice.
 *
 * @param id of the node, the key in the answers
 * @param name for people
 * @param info its part of {@link Probe#NODES}
 * @param first its part of the first answer to {@link Probe#STATS}
 * @param stats its part of the last one
 */
public record Node(String id, String name, JsonNode info, JsonNode first, JsonNode stats) {
  /** A number of {@link #info} at a dotted path. */
  public long info(String path) {
    return Json.number(info, path);
  }

  /** A text of {@link #info} at a dotted path, empty where there is none. */
  public String text(String path) {
    return Json.at(info, path).asText("");
  }

  /** A number of the last {@link #stats}. */
  public long stat(String path) {
    return Json.number(stats, path);
  }

  /** How much a counter grew between the two answers; 0 after a restart in between. */
  public long grew(String path) {
    return restarted() ? 0 : Math.max(0, stat(path) - Json.number(first, path));
  }

  private boolean restarted() {
    return stat("jvm.uptime_in_millis") < Json.number(first, "jvm.uptime_in_millis");
  }

  /** Milliseconds between the two answers, by the node's own clock; 0 when there was only one. */
  public long windowMillis() {
    return Math.max(0, stat("timestamp") - Json.number(first, "timestamp"));
  }

  /** Milliseconds since the JVM started. */
  public long uptimeMillis() {
    return stat("jvm.uptime_in_millis");
  }

  /** A setting of the node's file or command line; null when it is not there. */
  public @Nullable String setting(String key) {
    JsonNode value = info.path("settings").path(key);
    return value.isMissingNode() || value.isNull() ? null : value.asText();
  }

  /** Whether the node holds data; true where roles are unknown. */
  public boolean data() {
    return roles().isEmpty() || roles().stream().anyMatch(role -> role.startsWith("data"));
  }

  /** Whether it may become cluster manager. */
  public boolean managerEligible() {
    return roles().contains("cluster_manager") || roles().contains("master");
  }

  private List<String> roles() {
    List<String> roles = new ArrayList<>();
    JsonNode from = info.has("roles") ? info.path("roles") : stats.path("roles");
    from.forEach(role -> roles.add(role.asText()));
    return roles;
  }

  /** The arguments that the JVM was started with. */
  public List<String> jvmArguments() {
    List<String> arguments = new ArrayList<>();
    info.path("jvm").path("input_arguments").forEach(argument -> arguments.add(argument.asText()));
    return arguments;
  }

  /** Whether a collector whose name begins so runs in the JVM. */
  public boolean collector(String begin) {
    for (JsonNode name : info.path("jvm").path("gc_collectors")) {
      if (name.asText().startsWith(begin)) {
        return true;
      }
    }
    return false;
  }

  /** The first number of the Java version: 8, 11, 17; 0 when it is unknown. */
  public int java() {
    String version = text("jvm.version").replaceFirst("^1\\.", "");
    Matcher first = Pattern.compile("^(\\d{1,4})").matcher(version);
    return first.find() ? Integer.parseInt(first.group(1)) : 0;
  }

  /** The pool of writes: {@code write}, before Elasticsearch 6.3 {@code bulk}. */
  public String writePool() {
    return stats.path("thread_pool").has("write") ? "write" : "bulk";
  }

  /** Evidence of {@link #info}. */
  public String infoPath(String path) {
    return Probe.NODES.shown() + ": nodes." + name + "." + path;
  }

  /** Evidence of {@link #stats}. */
  public String statPath(String path) {
    return Probe.STATS.shown() + ": nodes." + name + "." + path;
  }
}
