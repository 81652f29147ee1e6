package io.millrace.doctor.tune;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.logfile.TextFile;
import io.millrace.doctor.snapshot.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What was planned and how far it got, one JSON value per line: a head, the steps with what was
 * there before, then a line for each step that begins, is done or is undone. Every line is on disk
 * before the cluster is asked for what it says, so a run that is killed can go on or be undone.
 */
public final class TuneJournal implements AutoCloseable {
  private static final String FORMAT = "millrace_tune";

  /** How far a step got. */
  public enum State {
    PLANNED,
    /** Asked for; whether it was carried out is not known. */
    BEGUN,
    DONE,
    UNDONE
  }

  private final Path file;
  private final FileChannel channel;
  private final String cluster;
  private final List<Step> steps;
  private final List<State> states;

  private TuneJournal(
      Path file, FileChannel channel, String cluster, List<Step> steps, List<State> states) {
    this.file = file;
    this.channel = channel;
    this.cluster = cluster;
    this.steps = List.copyOf(steps);
    this.states = states;
  }

  /**
   * A new one.
   *
   * @throws ExpectedFailure when the file is there already or cannot be written
   */
  public static TuneJournal create(Path file, TunePlan plan) {
    try {
      FileChannel channel =
          alone(
              FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              file);
      List<State> states = new ArrayList<>();
      plan.steps().forEach(step -> states.add(State.PLANNED));
      TuneJournal journal = new TuneJournal(file, channel, plan.cluster(), plan.steps(), states);
      ObjectNode head = Json.MAPPER.createObjectNode();
      head.put(FORMAT, 1).put("cluster", plan.cluster()).put("profile", plan.use().text());
      head.put("steps", plan.steps().size());
      StringBuilder text = new StringBuilder(head + "\n");
      for (Step step : plan.steps()) {
        text.append((Object) Json.MAPPER.valueToTree(step)).append('\n');
      }
      journal.append(text.toString());
      return journal;
    } catch (FileAlreadyExistsException e) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "the journal " + file + " is there already",
          "Give another name with --journal, or go on with --resume.",
          e);
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  /**
   * One that is there. A last line that was cut off counts as not written.
   *
   * @throws ExpectedFailure naming the file when it is no journal or cannot be read
   */
  public static TuneJournal open(Path file) {
    try {
      String text = Files.readString(file);
      String whole = text.substring(0, text.lastIndexOf('\n') + 1);
      List<JsonNode> lines = new ArrayList<>();
      for (String line : whole.lines().toList()) {
        lines.add(Json.MAPPER.readTree(line));
      }
      JsonNode head = lines.isEmpty() ? Json.MAPPER.nullNode() : lines.getFirst();
      int count = head.path("steps").asInt(-1);
      if (head.path(FORMAT).asInt(0) != 1 || count < 0 || lines.size() < count + 1) {
        throw new ExpectedFailure(
            ExitCode.INPUT,
            file + " is no journal of millrace tune, or its head was cut off",
            null);
      }
      List<Step> steps = new ArrayList<>();
      List<State> states = new ArrayList<>();
      for (JsonNode line : lines.subList(1, count + 1)) {
        steps.add(Json.MAPPER.treeToValue(line, Step.class));
        states.add(State.PLANNED);
      }
      for (JsonNode line : lines.subList(count + 1, lines.size())) {
        states.set(line.path("step").asInt(), State.valueOf(line.path("state").asText()));
      }
      FileChannel channel = alone(FileChannel.open(file, StandardOpenOption.WRITE), file);
      channel.truncate(whole.getBytes(StandardCharsets.UTF_8).length);
      channel.position(channel.size());
      return new TuneJournal(file, channel, head.path("cluster").asText(), steps, states);
    } catch (JsonProcessingException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw unreadable(file, "it is no journal of millrace tune", e);
    } catch (IOException e) {
      throw unreadable(file, TextFile.why(e), e);
    }
  }

  /** Two at once would take back what the other sets. */
  private static FileChannel alone(FileChannel channel, Path file) throws IOException {
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // held by this process, which is no different
    } catch (IOException e) {
      return channel; // a file system without locks
    }
    channel.close();
    throw new ExpectedFailure(
        ExitCode.USAGE,
        "another millrace tune works with the journal " + file,
        "Wait until it has ended.");
  }

  private static ExpectedFailure unreadable(Path file, String why, Exception e) {
    return new ExpectedFailure(
        ExitCode.INPUT,
        "cannot read the journal " + file + ": " + why,
        "Give the file that --apply named.",
        e);
  }

  public Path file() {
    return file;
  }

  /** UUID of the cluster that it is about. */
  public String cluster() {
    return cluster;
  }

  public List<Step> steps() {
    return steps;
  }

  public State state(int step) {
    return states.get(step);
  }

  /** Whether anything was asked of the cluster that is not taken back. */
  public boolean open() {
    return states.contains(State.BEGUN) || states.contains(State.DONE);
  }

  /** Steps that are not done, or were taken back. */
  public List<Step> left() {
    List<Step> left = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      if (states.get(i) != State.DONE) {
        left.add(steps.get(i));
      }
    }
    return left;
  }

  void mark(int step, State state) {
    states.set(step, state);
    try {
      append("{\"step\":" + step + ",\"state\":\"" + state + "\"}\n");
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  private void append(String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    channel.force(true);
  }

  private static ExpectedFailure unwritable(Path file, IOException e) {
    return new ExpectedFailure(
        ExitCode.ENVIRONMENT,
        "cannot write the journal " + file + ": " + TextFile.why(e),
        "Nothing is changed without it: give another place with --journal.",
        e);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }
}
