package io.millrace.guard.http;

import io.netty.handler.codec.http.HttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** What was read of a connection and waits, in order. */
final class HeldMessages {
  /** What decompression may make of one read while a request waits, bytes. */
  private static final long MOST = 4 << 20;

  private final ArrayDeque<Object> messages = new ArrayDeque<>();

  void add(Object message) {
    messages.add(message);
  }

  /** Puts one back that could not be passed on yet. */
  void putBack(Object message) {
    messages.addFirst(message);
  }

  @Nullable Object next() {
    return messages.poll();
  }

  /** Whether one read became so much that more of them cannot be waited for. */
  boolean tooMuch() {
    return bytes() > MOST;
  }

  private long bytes() {
    long bytes = 0;
    for (Object message : messages) {
      bytes += size(message);
    }
    return bytes;
  }

  /** Bytes of the body in a message. */
  static int size(Object message) {
    return message instanceof HttpContent content ? content.content().readableBytes() : 0;
  }

  void release() {
    messages.forEach(ReferenceCountUtil::release);
    messages.clear();
  }
}
