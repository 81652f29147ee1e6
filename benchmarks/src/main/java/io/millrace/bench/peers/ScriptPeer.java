package io.millrace.bench.peers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.bench.json.BenchJson;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A library in a process of its own: a script of {@code benchmarks/peers} that takes a command in
 * JSON a line and answers with a line. The documents of an answer come as JSON, as a server's do.
 */
final class ScriptPeer implements Peer {
  private final PeerProcess process;
  private final BufferedWriter commands;
  private final BufferedReader answers;
  private final Path data;
  private final String version;
  private JsonNode merged = MissingNode.getInstance();

  private ScriptPeer(PeerProcess process, Path data) throws IOException {
    this.process = process;
    this.data = data;
    commands = process.process().outputWriter(StandardCharsets.UTF_8);
    answers = process.process().inputReader(StandardCharsets.UTF_8);
    version = answer("start").path("version").asText();
  }

  /**
   * A side that a script makes.
   *
   * @param python the interpreter that has the library
   * @param arguments of the script, after the folder for its data
   */
  static PeerSide side(String name, Path python, Path script, String... arguments) {
    return new PeerSide(
        name,
        home -> {
          Path data = Files.createDirectories(home.resolve("data"));
          List<String> command =
              new ArrayList<>(List.of(python.toString(), "-u", script.toString(), data.toString()));
          command.addAll(List.of(arguments));
          PeerProcess process = PeerProcess.start(command, home);
          try {
            return new ScriptPeer(process, data);
          } catch (IOException | RuntimeException e) {
            process.close();
            throw e;
          }
        });
  }

  private JsonNode send(Map<String, Object> command) throws IOException {
    commands.write(BenchJson.string(command));
    commands.write('\n');
    commands.flush();
    return answer(String.valueOf(command.get("do")));
  }

  private JsonNode answer(String what) throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw process.failure("the script ended in '" + what + "'");
    }
    JsonNode answer = BenchJson.parse(line.getBytes(StandardCharsets.UTF_8));
    if (answer.has("error")) {
      throw process.failure("'" + what + "' failed: " + answer.path("error").asText());
    }
    return answer;
  }

  private static Map<String, Object> command(String what, PeerSearch search) {
    Map<String, Object> command = new LinkedHashMap<>();
    command.put("do", what);
    command.put("kind", search.kind().name());
    command.put("text", search.text());
    command.put("from", search.from());
    command.put("to", search.to());
    command.put("most", PeerSearch.MOST);
    return command;
  }

  @Override
  public long pid() {
    return process.process().pid();
  }

  @Override
  public String version() {
    return version;
  }

  @Override
  public void load(Documents documents) throws IOException {
    send(Map.of("do", "load", "file", documents.lines().toString()));
  }

  @Override
  public void merge() throws IOException {
    merged = send(Map.of("do", "merge")).path("bytes");
  }

  @Override
  public long bytes() throws IOException {
    return merged.isNumber() ? merged.longValue() : PeerFolder.bytes(data);
  }

  @Override
  public PeerAnswer ask(PeerSearch search) throws IOException {
    JsonNode answer = send(command("search", search));
    if (search.kind() != PeerSearch.Kind.COUNTS) {
      return PeerAnswer.ofRows(answer.path("rows"), "@timestamp");
    }
    PeerAnswer counts = PeerAnswer.ofCounts();
    for (JsonNode row : answer.path("rows")) {
      counts.add(row.path("start"), row.path("level").asText(), row.path("documents").asLong());
    }
    return counts;
  }

  @Override
  public long hits(PeerSearch search) throws IOException {
    return send(command("count", search)).path("documents").asLong();
  }

  @Override
  public void close() {
    process.close();
  }
}
