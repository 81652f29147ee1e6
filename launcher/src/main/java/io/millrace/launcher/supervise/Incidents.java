package io.millrace.launcher.supervise;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Why nodes were restarted, in {@code run/incidents.json}: the last 50, oldest first. */
public final class Incidents {
  private static final int KEPT = 50;
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Path file;

  /**
   * @param run the workspace's {@code run} folder
   */
  public Incidents(Path run) {
    this.file = run.resolve("incidents.json");
  }

  /**
   * One.
   *
   * @param at ISO 8601
   * @param reason why the node ended or was killed
   * @param action what was done: {@code restarted}, {@code given up}
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Incident(String at, String node, long pid, String reason, String action) {}

  public static final String RESTARTED = "restarted";
  public static final String GIVEN_UP = "given up";

  /** All that are kept; none where the file is missing or cannot be read. */
  public List<Incident> all() {
    if (!Files.isReadable(file)) {
      return List.of();
    }
    try {
      return JSON.readValue(Files.readAllBytes(file), new TypeReference<List<Incident>>() {});
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Those of one node, oldest first. */
  public List<Incident> of(String node) {
    return all().stream().filter(i -> i.node().equals(node)).toList();
  }

  /** The last of one node. */
  public Optional<Incident> last(String node) {
    List<Incident> all = of(node);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
  }

  /**
   * The last of one node since somebody started it: what happened before he stopped it is over.
   *
   * @param startedAt ISO 8601
   */
  public Optional<Incident> last(String node, String startedAt) {
    return last(node).filter(incident -> !time(incident.at()).isBefore(time(startedAt)));
  }

  /** What is no time counts as long ago. */
  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      return Instant.MIN;
    }
  }

  void add(Incident incident) throws IOException {
    List<Incident> all = new ArrayList<>(all());
    all.add(incident);
    List<Incident> kept = all.subList(Math.max(0, all.size() - KEPT), all.size());
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.write(part, JSON.writeValueAsBytes(kept));
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
