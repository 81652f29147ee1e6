package io.millrace.access.identity;

import io.millrace.kernel.slot.Sender;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.util.concurrent.ThreadContext;

/**
 * Somebody whom the node has recognized.
 *
 * <p>It is a request header of the thread context, because those go with a request to other nodes,
 * where a query may ask for more (a terms lookup). No header means the node itself. Whoever can
 * send to the transport port can therefore be anybody: only TLS with client certificates keeps
 * strangers away from it. A client cannot set it: REST takes over declared headers only, and this
 * is none.
 */
public record Identity(Kind kind, String name) {
  /** The header of the thread context. */
  public static final String HEADER = Sender.HEADER;

  /** How somebody is known. */
  public enum Kind {
    OPERATOR('o'),
    USER('u'),
    KEY('k');

    private final char letter;

    Kind(char letter) {
      this.letter = letter;
    }
  }

  /** Who sent the request that this thread works for; null for the node itself. */
  public static @Nullable Identity of(ThreadContext context) {
    String header = context.getHeader(HEADER);
    return header == null ? null : parse(header);
  }

  /**
   * From a header.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static Identity parse(String header) {
    if (header.length() > 2 && header.charAt(1) == ':') {
      for (Kind kind : Kind.values()) {
        if (kind.letter == header.charAt(0)) {
          return new Identity(kind, header.substring(2));
        }
      }
    }
    throw new IllegalArgumentException(
        "[" + HEADER + "] is no identity; kinds are " + Arrays.toString(Kind.values()));
  }

  /** Puts it into the context, once for a request. */
  public void into(ThreadContext context) {
    context.putHeader(HEADER, text());
  }

  /** What is signed, kept in tasks and written to the audit log. */
  public String text() {
    return kind.letter + ":" + name;
  }
}
