package io.millrace.write.logtext;

import java.util.HexFormat;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The id of a message's template: the hash of 64 bits of what {@link LogTextStream} would write for
 * it, as 16 hexadecimal digits. A function of the message alone, so the same in every segment,
 * shard, index and version. Whether a segment uses the template for searches plays no part.
 */
final class TemplateId {
  private final ConcurrentLinkedQueue<LogTextStream> idle = new ConcurrentLinkedQueue<>();

  /**
   * Null for a message without tokens, and for one whose template is longer than {@value
   * LogTextStream#MAX_TEMPLATE_BYTES} bytes.
   */
  @Nullable String of(String message) {
    LogTextStream taken = idle.poll();
    LogTextStream stream = taken == null ? new LogTextStream() : taken;
    long hash = stream.templateOf(message);
    idle.add(stream);
    return hash == 0 ? null : HexFormat.of().toHexDigits(hash);
  }
}
