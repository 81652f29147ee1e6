package io.millrace.kernel.slot;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.opensearch.http.HttpServerTransport;

/**
 * Who may come in by HTTP.
 *
 * <p>It is asked twice. {@link #knock} decides, by the head of a request, whether its body is read:
 * that only saves memory and bandwidth. What {@link #inside} gives the server decides about the
 * request itself, by that request's own head: a connection carries requests of several users.
 */
public interface HttpDoor {
  /** Lets everybody in. */
  HttpDoor OPEN =
      new HttpDoor() {
        @Override
        public HttpServerTransport.Dispatcher inside(HttpServerTransport.Dispatcher dispatcher) {
          return dispatcher;
        }

        @Override
        public void knock(Head head, Consumer<Optional<String>> refusal) {
          refusal.accept(Optional.empty());
        }

        @Override
        public boolean open() {
          return true;
        }
      };

  /**
   * The head of a request.
   *
   * @param authorization every value of the header of this name
   * @param from where the connection comes from; null where that is not known
   */
  record Head(List<String> authorization, @Nullable InetSocketAddress from) {}

  /** A dispatcher that hands on only requests of those who may come in, and answers the others. */
  HttpServerTransport.Dispatcher inside(HttpServerTransport.Dispatcher dispatcher);

  /**
   * Says whether the body of a request is worth reading.
   *
   * @param refusal is told once, on any thread, also later: empty lets the body come; otherwise the
   *     value that replaces the request's {@code Authorization} while it goes on without its body.
   *     {@link #inside} refuses a request with such a value, whoever sent it
   */
  void knock(Head head, Consumer<Optional<String>> refusal);

  /** Whether everybody is let in, so that nobody has to be asked. */
  boolean open();
}
