package io.millrace.storage.columnarsource.column;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.columnarsource.bytes.SpanTable;
import io.millrace.storage.columnarsource.bytes.Spans;
import io.millrace.storage.columnarsource.section.PackedLongs;
import io.millrace.storage.columnarsource.section.SectionWriter;
import io.millrace.storage.columnarsource.text.Base64Text;
import io.millrace.storage.columnarsource.text.HexText;
import io.millrace.storage.columnarsource.text.NumberText;
import io.millrace.storage.columnarsource.text.TimeText;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/**
 * Writes one column in the kind that suits its values in this block.
 *
 * <p>A kind is taken only if every value of the column comes back from it exactly; each attempt
 * ends at the first value that does not fit. {@link ColumnKind#TEXT} fits everything.
 */
public final class ColumnEncoder {
  private static final int SAMPLE = 256;
  private static final int SAMPLE_DISTINCT = 224;
  private static final int MIN_DICTIONARY = 4;
  private static final int LONG_TEXT = 10;
  private static final int LONG_BASE64 = 48;
  private static final int KEEP = 1 << 16;

  private final SectionWriter out;
  private final @Nullable TemplateEncoder templates;
  private final SpanTable distinct = new SpanTable(256);
  private final ByteSink decoded = new ByteSink(256);
  private long[] longs = new long[2048];
  private long[] steps = new long[2048];

  /**
   * @param templates for columns of messages, or null: no column is one
   */
  public ColumnEncoder(SectionWriter out, @Nullable TemplateEncoder templates) {
    this.out = out;
    this.templates = templates;
  }

  /** Writes a column of at least one value in the first kind that fits. */
  public void encode(Spans values) {
    int count = values.count;
    longs = ArrayUtil.grow(longs, count);
    steps = ArrayUtil.grow(steps, count);
    if (constant(values)
        || numbers(values)
        || times(values)
        || hex(values)
        || dictionary(values, Long.MAX_VALUE)
        || base64(values)) {
      return;
    }
    if (templates != null && templates.encode(values)) {
      return;
    }
    text(values);
  }

  private boolean constant(Spans values) {
    byte[] text = values.text;
    int start = values.starts[0];
    int length = values.lengths[0];
    for (int i = 1; i < values.count; i++) {
      if (values.lengths[i] != length
          || !java.util.Arrays.equals(
              text, start, start + length, text, values.starts[i], values.starts[i] + length)) {
        return false;
      }
    }
    out.directory.writeByte(ColumnKind.CONSTANT);
    out.directory.writeVInt(length);
    out.text(text, start, length);
    return true;
  }

  private boolean numbers(Spans values) {
    int length = values.lengths[0];
    byte first = length == 0 ? 0 : values.text[values.starts[0]];
    if (length > NumberText.MAX_DIGITS + 2 || first != '-' && (first < '0' || first > '9')) {
      return false;
    }
    return whole(values) || padded(values) || decimals(values);
  }

  private boolean whole(Spans values) {
    for (int i = 0; i < values.count; i++) {
      longs[i] = NumberText.parse(values.text, values.starts[i], values.lengths[i]);
      if (longs[i] == NumberText.REFUSED) {
        return false;
      }
    }
    PackedLongs.Plan plan = PackedLongs.plan(longs, values.count);
    if (plan.width() > 3 && dictionary(values, plan.bytes())) {
      return true;
    }
    long[] numbers = longs;
    sequence(numbers, values.count, plan, ColumnKind.NUMBER, ColumnKind.NUMBER_STEPS, null);
    return true;
  }

  /** As they are or as steps, whichever is shorter. */
  private void sequence(
      long[] numbers,
      int count,
      PackedLongs.Plan plan,
      int plainKind,
      int stepsKind,
      @Nullable TimeText layout) {
    boolean safe = count > 2;
    for (int i = 1; safe && i < count; i++) {
      steps[i - 1] = numbers[i] - numbers[i - 1];
      safe = ((numbers[i] ^ numbers[i - 1]) & (numbers[i] ^ steps[i - 1])) >= 0;
    }
    PackedLongs.Plan stepsPlan = safe ? PackedLongs.plan(steps, count - 1) : plan;
    boolean stepped = safe && stepsPlan.bytes() + 8 < plan.bytes();
    out.directory.writeByte(stepped ? stepsKind : plainKind);
    if (layout != null) {
      out.directory.writeByte(layout.separator());
      out.directory.writeByte(layout.point());
      out.directory.writeByte(layout.fraction());
      out.directory.writeVInt(layout.suffix().length);
      out.directory.write(layout.suffix(), 0, layout.suffix().length);
    }
    if (stepped) {
      out.directory.writeZLong(numbers[0]);
      PackedLongs.write(steps, count - 1, stepsPlan, out.directory, out.packed);
    } else {
      PackedLongs.write(numbers, count, plan, out.directory, out.packed);
    }
  }

  private boolean padded(Spans values) {
    int length = values.lengths[0];
    for (int i = 0; i < values.count; i++) {
      if (values.lengths[i] != length) {
        return false;
      }
      longs[i] = NumberText.parsePadded(values.text, values.starts[i], length);
      if (longs[i] == NumberText.REFUSED) {
        return false;
      }
    }
    PackedLongs.Plan plan = PackedLongs.plan(longs, values.count);
    if (plan.width() > 3 && dictionary(values, plan.bytes())) {
      return true;
    }
    out.directory.writeByte(ColumnKind.PADDED);
    out.directory.writeVInt(length);
    PackedLongs.write(longs, values.count, plan, out.directory, out.packed);
    return true;
  }

  /**
   * Decimals whose zeros at the end are told by a rule for the whole column: as many digits as the
   * scale, or none, or none but the first behind the point.
   */
  private boolean decimals(Spans values) {
    int least = Integer.MAX_VALUE;
    int scale = 0;
    boolean trailing = false;
    boolean onlyFirst = true;
    for (int i = 0; i < values.count; i++) {
      int length = values.lengths[i];
      int end = values.starts[i] + length;
      int fraction = length == 0 ? 0 : NumberText.fraction(values.text, values.starts[i], length);
      if (fraction == 0 || fraction > NumberText.MAX_DIGITS) {
        return false;
      }
      fraction = Math.max(0, fraction);
      least = Math.min(least, fraction);
      scale = Math.max(scale, fraction);
      if (fraction > 0 && values.text[end - 1] == '0') {
        trailing = true;
        onlyFirst &= fraction == 1;
      }
    }
    int kept;
    if (least == scale) {
      kept = scale;
    } else if (!trailing) {
      kept = least == 0 ? 0 : 1;
    } else if (onlyFirst && least == 1) {
      kept = 1;
    } else {
      return false;
    }
    for (int i = 0; i < values.count; i++) {
      int fraction =
          Math.max(0, NumberText.fraction(values.text, values.starts[i], values.lengths[i]));
      longs[i] =
          NumberText.parseDecimal(
              values.text, values.starts[i], values.lengths[i], fraction, scale);
      if (longs[i] == NumberText.REFUSED) {
        return false;
      }
    }
    PackedLongs.Plan plan = PackedLongs.plan(longs, values.count);
    if (plan.width() > 3 && dictionary(values, plan.bytes())) {
      return true;
    }
    out.directory.writeByte(ColumnKind.DECIMAL);
    out.directory.writeByte(scale);
    out.directory.writeByte(kept);
    PackedLongs.write(longs, values.count, plan, out.directory, out.packed);
    return true;
  }

  private boolean times(Spans values) {
    TimeText layout = TimeText.of(values.text, values.starts[0], values.lengths[0]);
    if (layout == null) {
      return false;
    }
    for (int i = 0; i < values.count; i++) {
      longs[i] = layout.parse(values.text, values.starts[i], values.lengths[i]);
      if (longs[i] == NumberText.REFUSED) {
        return false;
      }
    }
    PackedLongs.Plan plan = PackedLongs.plan(longs, values.count);
    sequence(longs, values.count, plan, ColumnKind.TIME, ColumnKind.TIME_STEPS, layout);
    return true;
  }

  private boolean hex(Spans values) {
    int length = values.lengths[0];
    int flags = -1;
    for (int i = 0; i < values.count; i++) {
      flags = HexText.flags(values.text, values.starts[i], values.lengths[i]);
      if (flags < 0) {
        return false;
      }
      if (letter(values, i)) {
        break; // only a letter shows the case
      }
    }
    for (int i = 0; i < values.count; i++) {
      if (values.lengths[i] != length
          || !HexText.fits(values.text, values.starts[i], length, flags)) {
        return false;
      }
    }
    int packed = HexText.packedLength(length, flags);
    if (dictionary(values, (long) packed * values.count)) {
      return true;
    }
    out.directory.writeByte(ColumnKind.HEX);
    out.directory.writeByte(flags);
    out.directory.writeVInt(packed);
    out.packed.ensure(packed * values.count);
    for (int i = 0; i < values.count; i++) {
      HexText.pack(values.text, values.starts[i], length, flags, out.packed);
    }
    return true;
  }

  private static boolean letter(Spans values, int i) {
    for (int at = values.starts[i]; at < values.starts[i] + values.lengths[i]; at++) {
      if (values.text[at] >= 'A') {
        return true;
      }
    }
    return false;
  }

  /**
   * Distinct values once and their numbers, if that is well below {@code otherwise} bytes.
   *
   * @param otherwise bytes of the best kind so far; {@link Long#MAX_VALUE} for plain text
   */
  private boolean dictionary(Spans values, long otherwise) {
    int count = values.count;
    if (count < MIN_DICTIONARY) {
      return false;
    }
    distinct.clear();
    long total = 0;
    int limit = otherwise == Long.MAX_VALUE ? count / 2 : Math.min(count / 4, 256);
    for (int i = 0; i < count; i++) {
      steps[i] = distinct.add(values.text, values.starts[i], values.lengths[i]);
      total += values.lengths[i];
      int size = distinct.size();
      if (size > limit || i == SAMPLE && size > SAMPLE_DISTINCT) {
        return false;
      }
    }
    int size = distinct.size();
    PackedLongs.Plan numbers = PackedLongs.plan(steps, count);
    long cost = numbers.bytes() + distinct.textLength() * 2L / 3 + size / 2;
    if (cost > (otherwise == Long.MAX_VALUE ? total / 2 : otherwise * 9 / 10)) {
      return false;
    }
    out.directory.writeByte(ColumnKind.DICTIONARY);
    out.directory.writeVInt(size);
    PackedLongs.write(steps, count, numbers, out.directory, out.packed);
    for (int id = 0; id < size; id++) {
      steps[id] = distinct.length(id);
      out.text(distinct.bytes(), distinct.start(id), distinct.length(id));
    }
    PackedLongs.write(steps, size, PackedLongs.plan(steps, size), out.directory, out.packed);
    return true;
  }

  private boolean base64(Spans values) {
    long total = 0;
    for (int i = 0; i < values.count; i++) {
      if (!Base64Text.fits(values.text, values.starts[i], values.lengths[i])) {
        return false;
      }
      total += values.lengths[i];
    }
    // a word of four letters is base64, too
    if (total < (long) LONG_BASE64 * values.count) {
      return false;
    }
    int before = out.textLength();
    for (int i = 0; i < values.count; i++) {
      decoded.length = 0;
      Base64Text.decode(values.text, values.starts[i], values.lengths[i], decoded);
      longs[i] = decoded.length;
      out.text(decoded.bytes, 0, decoded.length);
    }
    decoded.reset(KEEP);
    texts(ColumnKind.BASE64, values.count, before);
    return true;
  }

  /** Writes a column as {@link ColumnKind#TEXT}. */
  public void text(Spans values) {
    longs = ArrayUtil.grow(longs, values.count);
    int before = out.textLength();
    for (int i = 0; i < values.count; i++) {
      longs[i] = values.lengths[i];
      out.text(values.text, values.starts[i], values.lengths[i]);
    }
    texts(ColumnKind.TEXT, values.count, before);
  }

  /** The directory of texts whose lengths stand in {@link #longs}. */
  private void texts(int kind, int count, int before) {
    out.column(before);
    out.directory.writeByte(kind);
    out.directory.writeVInt(out.textLength() - before);
    PackedLongs.write(longs, count, PackedLongs.plan(longs, count), out.directory, out.packed);
  }

  /** Whether a text is worth a look for a template. */
  static boolean messageLike(Spans values) {
    long total = 0;
    for (int i = 0; i < values.count; i++) {
      total += values.lengths[i];
    }
    return total >= (long) LONG_TEXT * values.count;
  }

  /** Heap that it holds, bytes. */
  public long ramBytesUsed() {
    return distinct.ramBytesUsed() + decoded.bytes.length + 8L * (longs.length + steps.length);
  }
}
