package io.millrace.bench.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Resident memory of a process: {@code VmHWM}, its peak, from {@code /proc/<pid>/status}. */
public final class ProcessMemory {
  private ProcessMemory() {}

  /** The peak resident size in bytes. */
  public static long peakBytes(long pid) throws IOException {
    return parsePeak(
        Files.readAllLines(
            Path.of("/proc", Long.toString(pid), "status"), StandardCharsets.ISO_8859_1));
  }

  static long parsePeak(List<String> status) {
    for (String line : status) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
      }
    }
    throw new IllegalArgumentException("no VmHWM in /proc/<pid>/status");
  }
}
