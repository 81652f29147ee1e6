package io.millrace.doctor.snapshot;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.logfile.TextFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.EnumMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A snapshot as one file, gzipped when its name ends in {@code .gz}: what support asks for, and
 * what the tests of the checks read. Format 1: {@code
 * {"format":1,"taken":...,"first":{probe:answer}, "answers":{...},"missing":{probe:reason}}}.
 */
public final class Bundle {
  private static final int FORMAT = 1;

  private Bundle() {}

  /**
   * @throws ExpectedFailure when the file cannot be written
   */
  public static void save(Snapshot snapshot, Path file) {
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.put("format", FORMAT).put("taken", snapshot.taken().toString());
    put(json.putObject("first"), snapshot.firsts());
    put(json.putObject("answers"), snapshot.answers());
    ObjectNode missing = json.putObject("missing");
    snapshot.missing().forEach((probe, why) -> missing.put(probe.key(), why));
    try (OutputStream out =
        zipped(file)
            ? new GZIPOutputStream(Files.newOutputStream(file))
            : Files.newOutputStream(file)) {
      Json.MAPPER.writeValue(out, json);
    } catch (IOException e) {
      throw new ExpectedFailure(
          ExitCode.ENVIRONMENT, "cannot write " + file + ": " + TextFile.why(e), null, e);
    }
  }

  private static void put(ObjectNode to, Map<Probe, JsonNode> answers) {
    for (Probe probe : Probe.values()) {
      JsonNode answer = answers.get(probe);
      if (answer != null) {
        to.set(probe.key(), answer);
      }
    }
  }

  private static boolean zipped(Path file) {
    return file.toString().endsWith(".gz");
  }

  /**
   * @throws ExpectedFailure when the file is missing or is no bundle
   */
  public static Snapshot read(Path file) {
    try (InputStream in =
        zipped(file)
            ? new GZIPInputStream(Files.newInputStream(file))
            : Files.newInputStream(file)) {
      return read(in, file.toString());
    } catch (JsonProcessingException e) {
      throw new ExpectedFailure(
          ExitCode.INPUT,
          file + " is no bundle: " + e.getOriginalMessage(),
          "A bundle is what 'millrace doctor URL --save FILE' writes.",
          e);
    } catch (NoSuchFileException e) {
      throw new ExpectedFailure(ExitCode.INPUT, "there is no file " + file, null, e);
    } catch (IOException e) {
      throw new ExpectedFailure(
          ExitCode.INPUT, "cannot read the bundle " + file + ": " + TextFile.why(e), null, e);
    }
  }

  /**
   * @param name of the source, for messages
   * @throws ExpectedFailure when it is no bundle
   */
  public static Snapshot read(InputStream in, String name) throws IOException {
    JsonNode json = Json.MAPPER.readTree(in);
    if (json == null || json.path("format").asInt() != FORMAT) {
      throw new ExpectedFailure(
          ExitCode.INPUT,
          name + " is no bundle of format " + FORMAT,
          "A bundle is what 'millrace doctor URL --save FILE' writes.");
    }
    Map<Probe, String> missing = new EnumMap<>(Probe.class);
    Map<Probe, JsonNode> first = new EnumMap<>(Probe.class);
    Map<Probe, JsonNode> answers = new EnumMap<>(Probe.class);
    for (Probe probe : Probe.values()) {
      take(json.path("first"), probe, first);
      take(json.path("answers"), probe, answers);
      if (json.path("missing").has(probe.key())) {
        missing.put(probe, json.path("missing").path(probe.key()).asText());
      }
    }
    return new Snapshot(first, answers, missing, taken(json, name), Given.NOTHING);
  }

  private static Instant taken(JsonNode json, String name) {
    String taken = json.path("taken").asText();
    try {
      return Instant.parse(taken);
    } catch (DateTimeParseException e) {
      throw new ExpectedFailure(
          ExitCode.INPUT,
          name + " is no bundle: taken is [" + taken + "], not a time such as 2026-11-21T10:00:00Z",
          "A bundle is what 'millrace doctor URL --save FILE' writes.",
          e);
    }
  }

  private static void take(JsonNode from, Probe probe, Map<Probe, JsonNode> to) {
    if (from.has(probe.key())) {
      to.put(probe, from.path(probe.key()));
    }
  }
}
