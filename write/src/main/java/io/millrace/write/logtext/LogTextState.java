package io.millrace.write.logtext;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What the {@code log_text} fields of a node share: the switch, the dictionaries, the sketches. */
final class LogTextState {
  final TemplateCache cache;
  private final BooleanSupplier on;
  private final Set<TemplateSketch> sketches =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  LogTextState(TemplateCache cache, BooleanSupplier on) {
    this.cache = cache;
    this.on = on;
  }

  /** The sketches of the fields that were written to since they were opened. */
  List<TemplateSketch> sketches() {
    synchronized (sketches) {
      return new ArrayList<>(sketches);
    }
  }

  /** The sketch of one field of one index, made at the first write. */
  final class FieldSketch {
    private volatile @Nullable TemplateSketch sketch;

    /** Null while the feature is off: then no template counts. */
    @Nullable TemplateSketch current() {
      if (!on.getAsBoolean()) {
        return null;
      }
      TemplateSketch known = sketch;
      return known != null ? known : create();
    }

    private synchronized TemplateSketch create() {
      TemplateSketch made = sketch;
      if (made == null) {
        made = new TemplateSketch();
        sketches.add(made);
        sketch = made;
      }
      return made;
    }
  }
}
