package io.millrace.guard.http;

import io.netty.channel.Channel;
import io.netty.util.Attribute;
import io.netty.util.AttributeKey;

/**
 * Why a connection, or a stream of HTTP/2, is not read: several handlers may have a reason at once,
 * and the last one that has none any more lets it be read again. For its event loop alone.
 */
final class ReadPauses {
  /** A request waits for bytes or for room. */
  static final int BYTES = 1;

  /** It is not known yet whether a body may come, or it is known that it may not. */
  static final int DOOR = 2;

  private static final AttributeKey<ReadPauses> KEY =
      AttributeKey.valueOf(ReadPauses.class, "pauses");

  private final Channel channel;
  private int reasons;

  private ReadPauses(Channel channel) {
    this.channel = channel;
  }

  static ReadPauses of(Channel channel) {
    Attribute<ReadPauses> attribute = channel.attr(KEY);
    ReadPauses there = attribute.get();
    if (there == null) {
      there = new ReadPauses(channel);
      attribute.set(there);
    }
    return there;
  }

  void pause(int reason) {
    reasons |= reason;
    channel.config().setAutoRead(false);
  }

  void resume(int reason) {
    reasons &= ~reason;
    if (reasons == 0) {
      channel.config().setAutoRead(true);
    }
  }
}
