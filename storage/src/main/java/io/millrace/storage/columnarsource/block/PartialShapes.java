package io.millrace.storage.columnarsource.block;

import io.millrace.kernel.slot.PartialSource;
import io.millrace.storage.columnarsource.text.PartialShape;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one request wants of each shape; its hits mostly share a few. */
final class PartialShapes {
  private static final int MOST = 64;

  private @Nullable PartialSource wanted;
  private final Map<Integer, @Nullable PartialShape> partials = new HashMap<>();

  /** The wanted part of a shape; null if it is no object. */
  @Nullable PartialShape of(int shape, byte[] text, PartialSource some) {
    if (wanted != some || partials.size() >= MOST) {
      partials.clear();
      wanted = some;
    }
    // what is no object is asked for again: its source is broken JSON
    return partials.computeIfAbsent(shape, id -> PartialShape.of(text, some));
  }
}
