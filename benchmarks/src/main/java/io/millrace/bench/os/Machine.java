package io.millrace.bench.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a reader has to know about the machine before a figure means anything. Names of users, hosts
 * and folders are left out: a report is made to be passed on.
 */
public final class Machine {
  private Machine() {}

  /**
   * The description in reading order.
   *
   * @param data the folder that will hold the indices; only its file system's kind and room are
   *     described
   */
  public static Map<String, String> describe(Path data) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("time", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("processor", cpuModel(lines("/proc/cpuinfo")));
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("memory", memory(lines("/proc/meminfo")));
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put(
        "JDK of the bench",
        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
    facts.put("load average before", loadAverage());
    facts.put("disk", disk(data));
    return facts;
  }

  /** The three load averages, as the kernel prints them. */
  public static String loadAverage() {
    List<String> lines = lines("/proc/loadavg");
    if (lines.isEmpty()) {
      return "unknown";
    }
    String[] words = lines.getFirst().split(" ");
    return words.length < 3 ? lines.getFirst() : words[0] + " " + words[1] + " " + words[2];
  }

  static String cpuModel(List<String> cpuinfo) {
    return cpuinfo.stream()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).trim())
        .findFirst()
        .orElse(System.getProperty("os.arch"));
  }

  static String memory(List<String> meminfo) {
    return meminfo.stream()
        .filter(line -> line.startsWith("MemTotal:"))
        .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024 + " MiB")
        .findFirst()
        .orElse("unknown");
  }

  private static String disk(Path data) {
    try {
      FileStore store = Files.getFileStore(data);
      return store.type() + ", " + (store.getUsableSpace() >> 30) + " GiB free";
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static List<String> lines(String file) {
    try {
      return Files.readAllLines(Path.of(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return List.of(); // another operating system: the fact is reported as unknown
    }
  }
}
