package io.millrace.guard.templates;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The texts that the templates of one request have written. They count until the request is
 * answered: stock keeps them for so long (TransportMultiSearchTemplateAction#doExecute at 3.8.0
 * renders all before it searches for the first).
 */
final class RenderedText implements AutoCloseable {
  private final TextLedger ledger;
  private final AtomicLong nanos = new AtomicLong();

  private long held;
  private boolean closed;
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
  synchronized void add(long bytes) {
    if (!closed) { // answered meanwhile: nobody would give it back
      held += bytes;
      ledger.add(bytes, held);
    }
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
  public synchronized void close() {
    ledger.add(-held, 0);
    held = 0;
    closed = true;
  }
}
