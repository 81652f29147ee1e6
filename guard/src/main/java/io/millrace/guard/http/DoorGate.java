package io.millrace.guard.http;

import io.millrace.guard.inbound.Reservation;
import io.millrace.kernel.slot.HttpDoor;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.unit.TimeValue;

/**
 * Lets a body come only when the door knows whoever sends it. Asked by the head alone; until the
 * answer is there the connection is not read, so that at most one read (64 KB) of a stranger's body
 * is in memory, and as it came: the decompressor stands behind.
 *
 * <p>One per connection, or per stream of HTTP/2, used by its event loop alone. It decides about
 * bodies and nothing else. A refused request goes on without its body, with what the door put in
 * place of its credentials, so that its answer comes from where all answers come, in the order of
 * its connection. A request without a body is not asked about here.
 *
 * <p>A short body of a refused request is thrown away as it comes, and the connection serves on.
 * Otherwise nothing more is read, and the connection ends {@link #LINGER} after the answer: closed
 * at once, with unread bytes, it would take the answer with it.
 */
final class DoorGate extends ChannelDuplexHandler {
  /** A body up to this size is thrown away as it comes, bytes. */
  static final long SHORT = 64 << 10;

  /** How long a client may take to read its refusal before the connection ends. */
  static final TimeValue LINGER = TimeValue.timeValueSeconds(2);

  private enum State {
    /** What comes is passed on. */
    PASSING,
    /** The door has not answered yet: nothing is read, and what was read is held. */
    ASKING,
    /** The body of a refused request is thrown away until its end. */
    DISCARDING,
    /** Nothing is read, and nothing is passed on any more. */
    ENDING
  }

  private final HttpDoor door;
  private final Reservation.Flows flows;
  private final HeldMessages held = new HeldMessages();
  private State state = State.PASSING;
  private @Nullable ChannelPromise closing;

  private @Nullable Future<?> lingering;

  /** While the door is being asked: an answer by this thread has come at once. */
  private boolean knocking;

  /**
   * @param flows the connection's, which is told when one of its streams is not read
   */
  DoorGate(HttpDoor door, Reservation.Flows flows) {
    this.door = door;
    this.flows = flows;
  }

  private boolean holds() {
    return state == State.ASKING || state == State.ENDING;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof HttpObject)) {
      context.fireChannelRead(message);
      return;
    }
    switch (state) {
      case PASSING -> {
        if (message instanceof HttpRequest request && mayHaveABody(request)) {
          ask(context, request);
        } else {
          context.fireChannelRead(message);
        }
      }
      case ASKING -> held.add(message);
      case DISCARDING -> {
        if (message instanceof LastHttpContent) {
          state = State.PASSING;
        }
        ReferenceCountUtil.release(message);
      }
      case ENDING -> ReferenceCountUtil.release(message);
    }
  }

  private static boolean mayHaveABody(HttpRequest request) {
    if (request.decoderResult().isFailure()) {
      return false; // stock words the error
    }
    if (request instanceof FullHttpRequest full) {
      return full.content().isReadable();
    }
    return HttpUtil.isTransferEncodingChunked(request)
        || IncomingBody.declaredLength(request) != 0 && hasLength(request);
  }

  private static boolean hasLength(HttpRequest request) {
    return request.headers().contains(HttpHeaderNames.CONTENT_LENGTH);
  }

  private void ask(ChannelHandlerContext context, HttpRequest request) {
    state = State.ASKING;
    Thread here = Thread.currentThread();
    knocking = true;
    door.knock(
        new HttpDoor.Head(
            request.headers().getAll(HttpHeaderNames.AUTHORIZATION),
            context.channel().remoteAddress() instanceof InetSocketAddress from ? from : null),
        refusal -> {
          if (Thread.currentThread() == here && knocking) {
            answered(context, request, refusal);
          } else {
            EventLoop.soon(context, () -> later(context, request, refusal));
          }
        });
    knocking = false;
    if (state == State.ASKING) {
      flows.waits(true);
      ReadPauses.of(context.channel()).pause(ReadPauses.DOOR);
    }
  }

  /** The answer came after the connection was paused. */
  private void later(ChannelHandlerContext context, HttpRequest request, Optional<String> refusal) {
    if (context.isRemoved()) {
      ReferenceCountUtil.release(request);
      return;
    }
    flows.waits(false);
    answered(context, request, refusal);
    Object message;
    while (!holds() && (message = held.next()) != null) {
      channelRead(context, message);
    }
    if (state == State.ENDING) {
      held.release();
    } else if (state != State.ASKING) {
      context.fireChannelReadComplete();
      ReadPauses.of(context.channel()).resume(ReadPauses.DOOR);
    }
  }

  private void answered(
      ChannelHandlerContext context, HttpRequest request, Optional<String> refusal) {
    if (refusal.isEmpty()) {
      state = State.PASSING;
      context.fireChannelRead(request);
      return;
    }
    boolean whole = request instanceof LastHttpContent;
    long declared = IncomingBody.declaredLength(request);
    boolean serveOn =
        whole
            || declared >= 0
                && declared <= SHORT
                && !HttpUtil.is100ContinueExpected(request)
                && HttpUtil.isKeepAlive(request);
    HttpRequest bare =
        new DefaultFullHttpRequest(
            request.protocolVersion(),
            request.method(),
            request.uri(),
            Unpooled.EMPTY_BUFFER,
            request.headers().copy(),
            EmptyHttpHeaders.INSTANCE);
    bare.headers()
        .remove(HttpHeaderNames.CONTENT_LENGTH)
        .remove(HttpHeaderNames.TRANSFER_ENCODING)
        .remove(HttpHeaderNames.CONTENT_ENCODING)
        .remove(HttpHeaderNames.EXPECT)
        .set(HttpHeaderNames.AUTHORIZATION, refusal.get());
    if (serveOn) {
      state = whole ? State.PASSING : State.DISCARDING;
    } else {
      state = State.ENDING;
      ReadPauses.of(context.channel()).pause(ReadPauses.DOOR);
      bare.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    ReferenceCountUtil.release(request);
    context.fireChannelRead(bare);
    context.fireChannelReadComplete();
  }

  /** The refusal was written: stock closes what was to be closed. */
  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    if (state != State.ENDING || closing != null || !context.channel().isActive()) {
      end(context, promise);
      return;
    }
    closing = promise;
    if (context.channel() instanceof Http2StreamChannel stream) {
      // the client shall stop sending, and keep the answer (RFC 9113, 8.1)
      stream
          .pipeline()
          .firstContext()
          .writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.NO_ERROR).stream(stream.stream()))
          .addListener(future -> end(context, promise));
    } else {
      lingering = EventLoop.later(context, LINGER, () -> end(context, promise));
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the promise is the caller's
  private static void end(ChannelHandlerContext context, ChannelPromise promise) {
    context.close(promise);
  }

  @Override
  public void read(ChannelHandlerContext context) throws Exception {
    if (!holds()) {
      super.read(context);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) throws Exception {
    if (!holds()) {
      super.channelReadComplete(context);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    held.release();
    context.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    held.release();
    if (lingering != null) {
      lingering.cancel(false);
    }
    if (state == State.ASKING) {
      flows.waits(false);
    }
  }
}
