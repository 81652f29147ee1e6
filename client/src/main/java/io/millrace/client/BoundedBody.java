package io.millrace.client;

import java.io.IOException;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Collects a body and gives up when it grows past a limit: a service that never stops sending must
 * not fill the heap.
 */
final class BoundedBody implements BodySubscriber<byte[]> {
  private final BodySubscriber<byte[]> whole = BodySubscribers.ofByteArray();
  private final long limit;
  private long received;
  private boolean ended;
  private Flow.@Nullable Subscription source;

  private BoundedBody(long limit) {
    this.limit = limit;
  }

  /**
   * @param limit the longest body that is taken, bytes; a longer one fails with an {@link
   *     IOException}
   */
  static BodyHandler<byte[]> upTo(long limit) {
    return head -> new BoundedBody(limit);
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return whole.getBody();
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    source = subscription;
    whole.onSubscribe(subscription);
  }

  @Override
  public void onNext(List<ByteBuffer> items) {
    if (ended) {
      return;
    }
    for (ByteBuffer item : items) {
      received += item.remaining();
    }
    if (received <= limit) {
      whole.onNext(items);
      return;
    }
    Flow.Subscription subscription = source;
    if (subscription != null) {
      subscription.cancel();
    }
    onError(new IOException("the answer is longer than " + limit + " bytes"));
  }

  @Override
  public void onError(Throwable error) {
    if (!ended) {
      ended = true;
      whole.onError(error);
    }
  }

  @Override
  public void onComplete() {
    if (!ended) {
      ended = true;
      whole.onComplete();
    }
  }
}
