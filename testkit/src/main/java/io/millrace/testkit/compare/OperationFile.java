package io.millrace.testkit.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.testkit.compare.RandomOperations.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Operations in a file, one JSON object a line: {@code method}, {@code path} and, where there is
 * one, {@code body} as text.
 *
 * <p>Drawn once and read by every run, so that all of them do the same, and so that a series that
 * showed a difference can be cut down by hand and played again.
 */
public final class OperationFile {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private OperationFile() {}

  /**
   * Writes the operations; the file and its folder are made where they are missing.
   *
   * @throws UncheckedIOException when it cannot be written
   */
  public static void write(Path file, List<Operation> operations) {
    StringBuilder lines = new StringBuilder();
    for (Operation operation : operations) {
      ObjectNode line = MAPPER.createObjectNode();
      line.put("method", operation.method()).put("path", operation.path());
      if (operation.body() != null) {
        line.put("body", operation.body());
      }
      lines.append(line).append('\n');
    }
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      Files.writeString(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException naming file and line when a line is no operation
   * @throws UncheckedIOException when the file cannot be read
   */
  public static List<Operation> read(Path file) {
    List<Operation> operations = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(file)) {
        operations.add(operation(line, file + ":" + (operations.size() + 1)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return operations;
  }

  private static Operation operation(String line, String where) throws IOException {
    JsonNode json;
    try {
      json = MAPPER.readTree(line);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new IllegalArgumentException(where + " is no JSON: " + e.getOriginalMessage(), e);
    }
    if (!json.path("method").isTextual() || !json.path("path").isTextual()) {
      throw new IllegalArgumentException(
          where + " needs [method] and [path], for example {\"method\":\"GET\",\"path\":\"/\"}");
    }
    JsonNode body = json.path("body");
    return new Operation(
        json.get("method").asText(),
        json.get("path").asText(),
        body.isTextual() ? body.asText() : null);
  }
}
