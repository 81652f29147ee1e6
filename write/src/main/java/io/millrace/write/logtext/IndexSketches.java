package io.millrace.write.logtext;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;

/**
 * The {@code log_text} fields of one open index and their sketches. A sketch is made at the first
 * write to its field, is counted in the breaker {@code fielddata}, and goes when the index closes.
 */
final class IndexSketches {
  /**
   * Fields of an index that may have a sketch, 12 MB. The fields beyond are written with all
   * tokens: with {@code dynamic_properties} an index may have a field for every name that comes.
   */
  static final int MOST = 64;

  private final LogTextReaders.Fields fields;
  private final BooleanSupplier typedByName;
  private final CircuitBreaker breaker;
  private final Map<String, TemplateSketch> sketches = new ConcurrentHashMap<>();
  private volatile boolean mapped;
  private volatile boolean viewed;
  private volatile boolean closed;

  /**
   * @param fields of the index's mapping
   * @param typedByName whether {@code dynamic_properties} give fields a type that are not mapped
   */
  IndexSketches(LogTextReaders.Fields fields, BooleanSupplier typedByName, CircuitBreaker breaker) {
    this.fields = fields;
    this.typedByName = typedByName;
    this.breaker = breaker;
  }

  /** A log_text field was seen in the mapping. */
  void mapped() {
    mapped = true;
  }

  /** An engine was opened that puts {@link LogTextReaders} before every search. */
  void viewed() {
    viewed = true;
  }

  /** Whether the index may have log_text fields at all. */
  boolean hasFields() {
    return mapped || typedByName.getAsBoolean();
  }

  LogTextReaders.Fields fields() {
    return fields;
  }

  /** The field's sketch; null where there may be none. */
  @Nullable TemplateSketch sketch(String field) {
    TemplateSketch known = sketches.get(field);
    return known != null || !admits() ? known : create(field);
  }

  /** Whether the field has a sketch, or would get one if memory allows; makes none. */
  boolean offers(String field) {
    return sketches.containsKey(field) || admits();
  }

  private boolean admits() {
    return viewed && !closed && sketches.size() < MOST;
  }

  private synchronized @Nullable TemplateSketch create(String field) {
    TemplateSketch known = sketches.get(field);
    if (known != null || !admits()) {
      return known;
    }
    try {
      breaker.addEstimateBytesAndMaybeBreak(TemplateSketch.BYTES, "log_text sketch of " + field);
    } catch (CircuitBreakingException e) {
      return null; // the value is written all the same, with all its tokens
    }
    TemplateSketch made = new TemplateSketch();
    sketches.put(field, made);
    return made;
  }

  Collection<TemplateSketch> sketches() {
    return List.copyOf(sketches.values());
  }

  boolean closed() {
    return closed;
  }

  synchronized void close() {
    closed = true;
    breaker.addWithoutBreaking(-TemplateSketch.BYTES * sketches.size());
    sketches.clear();
  }
}
