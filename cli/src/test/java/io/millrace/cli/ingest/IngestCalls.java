package io.millrace.cli.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.cli.MillraceCommand;
import io.millrace.corpus.LogGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs {@code millrace ingest} as a user calls it; a folder for its inputs and its refusals. */
abstract class IngestCalls {
  static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;

  record Run(int code, String out, String err) {
    JsonNode summary() throws IOException {
      assertEquals(1, out.strip().lines().count(), "exactly one line: " + out);
      return JSON.readTree(out);
    }
  }

  final Run ingest(String url, String... arguments) {
    List<String> all = new ArrayList<>(List.of("ingest", "--url", url, "--json", "-q"));
    all.addAll(List.of("--dead-letter", folder.resolve("dead.ndjson").toString()));
    all.addAll(List.of(arguments));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = MillraceCommand.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    int code = line.execute(all.toArray(String[]::new));
    return new Run(code, out.toString(), err.toString());
  }

  final List<JsonNode> deadLetters() throws IOException {
    List<JsonNode> letters = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("dead.ndjson"))) {
      letters.add(JSON.readTree(line));
    }
    return letters;
  }

  final String ndjson(int documents) throws IOException {
    Path file = folder.resolve("docs.ndjson");
    try (OutputStream out = Files.newOutputStream(file)) {
      new LogGenerator(1).writeNdjson(out, documents);
    }
    return file.toString();
  }

  final String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }
}
