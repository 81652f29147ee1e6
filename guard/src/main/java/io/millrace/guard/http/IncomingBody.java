package io.millrace.guard.http;

import io.millrace.guard.inbound.Reservation;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;

/** The request whose body is coming: its head, the bytes reserved for it, and how far it came. */
final class IncomingBody {
  /** How far the request came; only in this order. */
  private enum Stage {
    /** All of it is still on this side of the gate. */
    BEFORE,

    /** A part was passed on. */
    PASSED_ON,

    /** The whole request is stock's; its reservation ends with the response. */
    HANDED_OVER
  }

  private final HttpRequest head;
  private final long declared;
  private final Reservation reservation;
  private Stage stage = Stage.BEFORE;

  IncomingBody(HttpRequest head, long declared, Reservation reservation) {
    this.head = head;
    this.declared = declared;
    this.reservation = reservation;
  }

  /** The announced length of a body, -1 when it is not announced or not a number. */
  static long declaredLength(HttpRequest request) {
    try {
      return HttpUtil.getContentLength(request, -1L);
    } catch (NumberFormatException e) {
      return -1; // stock words the error
    }
  }

  HttpRequest head() {
    return head;
  }

  Reservation reservation() {
    return reservation;
  }

  /** The announced length, -1 without one. */
  long declared() {
    return declared;
  }

  /** The length as far as it is known, when so many bytes have come or are about to. */
  long length(long come) {
    return Math.max(declared, come);
  }

  /** Whether some of it is behind the gate. */
  boolean begun() {
    return stage != Stage.BEFORE;
  }

  /** Something of it goes on. */
  void passOn() {
    if (stage == Stage.BEFORE) {
      stage = Stage.PASSED_ON;
    }
  }

  /** The request has become whole; its reservation is the caller's to close. */
  Reservation handOver() {
    stage = Stage.HANDED_OVER;
    return reservation;
  }

  /**
   * Whether a refusal ends the connection: a part is gone and cannot be taken back, the client may
   * leave the body out (Expect), or it asked for the end.
   */
  boolean refusalEndsConnection() {
    return begun() || HttpUtil.is100ContinueExpected(head) || !HttpUtil.isKeepAlive(head);
  }

  /** Gives the bytes back, unless the request was handed over with them. */
  void close() {
    if (stage != Stage.HANDED_OVER) {
      reservation.close();
    }
  }
}
