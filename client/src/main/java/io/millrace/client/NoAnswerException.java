package io.millrace.client;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** No answer came: refused, cut, too late or too long. */
public final class NoAnswerException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean ambiguous;

  NoAnswerException(boolean ambiguous, String message, Throwable cause) {
    super(message, cause);
    this.ambiguous = ambiguous;
  }

  /** Whether the request may have been carried out all the same. */
  public boolean ambiguous() {
    return ambiguous;
  }

  /** Whether a connection came about: else nothing was sent. */
  static boolean connected(@Nullable Throwable cause) {
    return !(cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException);
  }

  private static boolean unknown(@Nullable Throwable cause) {
    for (Throwable e = cause; e != null; e = e.getCause()) {
      if (e instanceof UnresolvedAddressException || e instanceof UnknownHostException) {
        return true;
      }
    }
    return false;
  }

  /**
   * The same in words for a user who named the addresses.
   *
   * @param given the addresses as the user gave them
   */
  ExpectedFailure asFailure(String given) {
    Throwable cause = getCause();
    if (unknown(cause)) {
      return new ExpectedFailure(
          ExitCode.NOT_RUNNING,
          "no host of this name is known here: " + given,
          "Check how it is spelled, or give its address.",
          cause);
    }
    if (!connected(cause)) {
      return new ExpectedFailure(
          ExitCode.NOT_RUNNING,
          "nothing listens at " + given,
          "Start a node with './millrace up', or give the URL of one that runs.",
          cause);
    }
    if (cause instanceof SSLException) {
      return new ExpectedFailure(
          ExitCode.CLUSTER,
          "no TLS connection: " + getMessage(),
          "An authority of your own: MILLRACE_CA=FILE with its certificate in PEM; a node without TLS:"
              + " http:// in its URL.",
          cause);
    }
    return new ExpectedFailure(
        ExitCode.CLUSTER,
        "what listens there does not answer as OpenSearch does: " + getMessage(),
        "Check host and port; a node with TLS needs https:// in its URL.",
        cause);
  }
}
