package io.millrace.guard.templates;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One template at work. It cannot see what is written, so it counts twice, and the smaller counts:
 * the most that can have been written since values were handed out and loops went round, and what
 * the thread has allocated. Both are never less than the text.
 */
final class Rendering {
  /** Characters after which it looks again at what was allocated. */
  private static final long STEP = 64 * 1_024;

  /** Values handed out after which it looks at the time. */
  private static final int LOOK = 1_024;

  /** A number as text, characters at most. */
  private static final int NUMBER = 24;

  /** A date or an address as text. */
  private static final int OTHER = 64;

  private final RenderedText account;
  private final TemplateSource source;
  private final LongSupplier allocated;
  private final long allocatedBefore;
  private final long begun = System.nanoTime();
  private final long most;
  private long upper;
  private long next = STEP;
  private long charged;
  private int looks;
  private @Nullable RuntimeException refusal;

  /**
   * @param allocated bytes that the calling thread has allocated
   */
  Rendering(RenderedText account, TemplateSource source, LongSupplier allocated) {
    this.account = account;
    this.source = source;
    this.allocated = allocated;
    this.allocatedBefore = allocated.getAsLong();
    this.most = account.ledger().limits().request.value().getBytes();
    this.upper = source.text();
  }

  /** A loop goes round once more, for this value. */
  @Nullable Object pass(@Nullable Object value) {
    return entered(value);
  }

  /** A value on its way into the template, so that what is in it counts as well. */
  @Nullable Object read(@Nullable Object key, @Nullable Object value) {
    if (value instanceof Collection<?>) {
      return within(value); // each of its values counts when it comes
    }
    if (key instanceof String name && source.sections().contains(name)) {
      return entered(value);
    }
    count(length(value));
    return within(value);
  }

  /**
   * A section is entered. It may write its value again and again without asking for it: {@code
   * {{.}}{{.}}{{.}}}.
   */
  private @Nullable Object entered(@Nullable Object value) {
    long written = source.text() + (long) source.dots() * length(value);
    long bytes = written * TextLedger.PER_CHARACTER;
    if (bytes > most) {
      throw refuse(account.ledger().tooLong(bytes));
    }
    count(written);
    return within(value);
  }

  /** Characters of a value as text; what is in maps and lists counts when it is asked for. */
  private static int length(@Nullable Object value) {
    return switch (value) {
      case CharSequence text -> text.length();
      case BigInteger number -> number.bitLength() / 3 + 2;
      case BigDecimal number -> number.unscaledValue().bitLength() / 3 + Math.abs(number.scale());
      case Number number -> NUMBER;
      case Map<?, ?> map -> 0;
      case Iterable<?> values -> 0;
      case null -> 0;
      default -> OTHER;
    };
  }

  @SuppressWarnings("unchecked")
  private @Nullable Object within(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> new CountedMap((Map<String, Object>) map, this);
      case List<?> list -> new CountedList(list, this);
      case Collection<?> values -> new CountedCollection(values, this);
      case null, default -> value;
    };
  }

  private void count(long characters) {
    upper += characters;
    if (upper >= next) {
      weigh();
    }
    if (++looks % LOOK == 0) {
      time();
    }
  }

  private void weigh() {
    next = upper + STEP;
    long text = Math.min(upper, allocated.getAsLong() - allocatedBefore);
    charge(text * TextLedger.PER_CHARACTER);
  }

  private void charge(long bytes) {
    long more = bytes - charged;
    charged = bytes;
    try {
      account.add(more);
    } catch (RuntimeException e) {
      throw refuse(e);
    }
  }

  private void time() {
    long nanos = account.nanos() + System.nanoTime() - begun;
    if (nanos > account.ledger().limits().time.value().nanos()) {
      throw refuse(account.ledger().tooSlow(nanos));
    }
  }

  private RuntimeException refuse(RuntimeException why) {
    refusal = why;
    account.refused(why);
    return why;
  }

  /** Why it was stopped, whatever became of that on its way through the engine. */
  @Nullable RuntimeException refusal() {
    return refusal;
  }

  /** It is written: what it really is counts from here on. */
  String done(String text) {
    charge((long) text.length() * TextLedger.PER_CHARACTER);
    return text;
  }

  /** It is over, in whichever way. */
  void end() {
    account.worked(System.nanoTime() - begun);
  }
}
