package io.millrace.it.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/**
 * How many of the samples that a flight recorder takes of a node's running threads were taken in
 * the classes of a feature and in TLS: finer than two nodes can be told apart, whose merges,
 * collections and background tasks differ by more than what is sought.
 *
 * <p>A sample belongs to a feature where one of its methods, or what it calls, is running; what
 * runs behind a door that it opened (the next filter, the handler, the action) does not, nor does
 * what a method passes on to another of its own name (a channel around a channel).
 */
public final class CpuSamples {
  private static final List<String> TLS =
      List.of("io.netty.handler.ssl.", "sun.security.ssl.", "io.millrace.access.tls.");

  /** What a request goes on with once it is allowed, and what events of the network arrive by. */
  private static final Set<String> GOES_ON =
      Set.of(
          "proceed",
          "dispatchRequest",
          "dispatchBadRequest",
          "handleRequest",
          "incomingRequest",
          "messageReceived",
          "channelRead",
          "invokeChannelRead",
          "fireChannelRead",
          "onResponse",
          "onFailure",
          "run",
          "doRun");

  private final String classes;
  private final Map<String, Integer> methods = new TreeMap<>();
  private int all;
  private int own;
  private int tls;

  private CpuSamples(String classes) {
    this.classes = classes;
  }

  /** Begins to take samples of a process. */
  public static void start(long pid) throws IOException {
    jcmd(pid, "JFR.start", "name=cpu", "settings=profile", "jdk.ExecutionSample#period=1ms");
  }

  /**
   * Ends that, and counts.
   *
   * @param classes of a feature: how their names begin
   * @param folder that the process may write to
   */
  public static CpuSamples stop(long pid, String classes, Path folder) throws IOException {
    Path file = Files.createTempFile(folder, "samples", ".jfr");
    Files.delete(file);
    jcmd(pid, "JFR.stop", "name=cpu", "filename=" + file);
    CpuSamples samples = new CpuSamples(classes);
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        if (event.getEventType().getName().equals("jdk.ExecutionSample")) {
          samples.add(event.getStackTrace());
        }
      }
    }
    return samples;
  }

  private static void jcmd(long pid, String... arguments) throws IOException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    List<String> command = new ArrayList<>(List.of(jcmd, Long.toString(pid)));
    command.addAll(List.of(arguments));
    Commands.run(Path.of(""), Map.of(), command).ok();
  }

  private void add(RecordedStackTrace stack) {
    all++;
    String called = "";
    for (RecordedFrame frame : stack.getFrames()) {
      RecordedMethod method = frame.getMethod();
      String type = method.getType().getName();
      if (TLS.stream().anyMatch(type::startsWith)) {
        tls++;
        return;
      }
      if (type.startsWith(classes)) {
        if (called.startsWith(method.getName())) {
          return; // passed on to the next of its kind
        }
        own++;
        methods.merge(type.substring(classes.length()) + "." + method.getName(), 1, Integer::sum);
        return;
      }
      if (GOES_ON.contains(method.getName())) {
        return;
      }
      called = method.getName();
    }
  }

  @Override
  public String toString() {
    return "%d samples, %.2f %% in %s, %.2f %% in TLS; most in %s"
        .formatted(
            all,
            100.0 * own / all,
            classes + "*",
            100.0 * tls / all,
            methods.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(8)
                .toList());
  }
}
