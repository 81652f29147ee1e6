package io.millrace.guard.templates;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The texts that the templates of one request have written. They count until the request is
 * answered: stock keeps them for so long (TransportMultiSearchTemplateAction#doExecute at 3.8.0
 * renders all before it searches for the first).
 */
final class RenderedText implements AutoCloseable {
  private final TextLedger ledger;
  private final AtomicLong held = new AtomicLong();
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile @Nullable RuntimeException refusal;

  RenderedText(TextLedger ledger) {
    this.ledger = ledger;
  }

  TextLedger ledger() {
    return ledger;
  }

  /** A template of the request was stopped. */
  void refused(RuntimeException why) {
    refusal = why;
  }

  /** Why the last template was stopped; {@code null} when none was. */
  @Nullable RuntimeException refusal() {
    return refusal;
  }

  /** Counts more, or less; throws when that is too much. */
  void add(long bytes) {
    long own = held.addAndGet(bytes);
    if (closed.get()) {
      held.addAndGet(-bytes); // answered meanwhile: nobody gives it back
      return;
    }
    ledger.add(bytes, own);
  }

  /** For how long templates have been at work that are done. */
  long nanos() {
    return nanos.get();
  }

  void worked(long more) {
    nanos.addAndGet(more);
  }

  /** The request is answered. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      ledger.add(-held.getAndSet(0), 0);
    }
  }
}
