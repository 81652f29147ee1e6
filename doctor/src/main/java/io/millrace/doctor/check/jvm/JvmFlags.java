package io.millrace.doctor.check.jvm;

import io.millrace.doctor.snapshot.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Flags of a node's JVM; of several the last one counts, as for the JVM. */
final class JvmFlags {
  /** Bytes of a heap of 2 GB as its JVM reports it: without a survivor space. */
  static final long TWO_GB = (2L << 30) / 10 * 9;

  private JvmFlags() {}

  /** What follows a prefix such as {@code -XX:NewSize=}; null when the flag is not given. */
  static @Nullable String value(Node node, String prefix) {
    String value = null;
    for (String argument : node.jvmArguments()) {
      value = argument.startsWith(prefix) ? argument.substring(prefix.length()) : value;
    }
    return value;
  }

  /** Heap sizes as lines of {@code jvm.options}. */
  static List<String> heap(long bytes) {
    String size =
        bytes >= 1L << 30 && bytes % (1L << 30) == 0 ? (bytes >> 30) + "g" : (bytes >> 20) + "m";
    return List.of("-Xms" + size, "-Xmx" + size);
  }

  /** The lines that stand there now. */
  static List<String> heapNow(Node node) {
    return List.of(
        "-Xms" + (node.info("jvm.mem.heap_init_in_bytes") >> 20) + "m",
        "-Xmx" + (node.info("jvm.mem.heap_max_in_bytes") >> 20) + "m");
  }
}
