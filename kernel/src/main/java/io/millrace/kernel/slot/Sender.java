package io.millrace.kernel.slot;

import org.opensearch.common.util.concurrent.ThreadContext;

/**
 * Who sent a request, where the node recognizes its clients: {@code k:NAME} is an API key, {@code
 * u:NAME} a user, {@code o:NAME} an operator. It travels as a request header of the thread context,
 * which no client can set. A feature that only counts or limits by it needs to know no more.
 */
public final class Sender {
  /** The header of the thread context. */
  public static final String HEADER = "_millrace_identity";

  private Sender() {}

  /** Who sent the request that this thread works for; empty when nobody is recognized. */
  public static String of(ThreadContext context) {
    String sender = context.getHeader(HEADER);
    return sender == null ? "" : sender;
  }
}
