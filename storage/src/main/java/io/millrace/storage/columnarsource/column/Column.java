package io.millrace.storage.columnarsource.column;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.columnarsource.section.PackedLongs;
import io.millrace.storage.columnarsource.section.SectionReader;
import io.millrace.storage.columnarsource.text.Base64Text;
import io.millrace.storage.columnarsource.text.HexText;
import io.millrace.storage.columnarsource.text.NumberText;
import io.millrace.storage.columnarsource.text.TimeText;
import org.apache.lucene.store.ByteArrayDataInput;

/**
 * One column of a block, read by the number of the value.
 *
 * <p>Kinds that add up what comes before a value (lengths, steps, messages of a template) remember
 * how far they came, so that reading a block in order costs a step per value, and keep {@link
 * Marks} on their way, from which going back or far ahead starts.
 */
public abstract class Column {
  /** Of a column without its arrays. */
  private static final int HEAP = 64;

  /** Bytes of a first guess of how long a value is. */
  private static final int MOST_AT_ONCE = 4096;

  /** The number of a value's template in this column, from 1; 0 if it has none. */
  public int template(int index) {
    return 0;
  }

  /** Templates of this column. */
  public int templates() {
    return 0;
  }

  /**
   * The place in the segment's dictionary of a template of this column, in which {@code
   * MessageSplit#HOLE} stands for each of its variables.
   */
  public int place(int template) {
    throw new IllegalStateException("a column without templates");
  }

  /** An upper bound of the bytes of the variables of a template of this column. */
  public int longestVariable(int template) {
    return Integer.MAX_VALUE;
  }

  /**
   * Appends one variable of a value that has a template.
   *
   * @param hole its place among the template's holes
   */
  public void variable(int index, int hole, ByteSink out) {
    throw new IllegalStateException("a column without templates");
  }

  /** An upper bound of the bytes of the values. */
  int longest() {
    return Integer.MAX_VALUE;
  }

  /** Appends the text of a value. */
  public abstract void append(int index, ByteSink out);

  /**
   * Reads a column's directory and takes its shares of the other sections.
   *
   * @throws IllegalStateException or an exception of the array access if the block is damaged
   */
  public static Column read(SectionReader sections, BlockTemplates templates, int count) {
    ByteArrayDataInput in = sections.directory;
    int kind = in.readByte();
    sections.charge(HEAP);
    return switch (kind) {
      case ColumnKind.CONSTANT -> {
        int length = in.readVInt();
        yield new Constant(sections, sections.takeText(length), length);
      }
      case ColumnKind.NUMBER -> new Number(sections, packed(sections, count));
      case ColumnKind.NUMBER_STEPS -> {
        long first = SectionReader.readZLong(in);
        yield new Number(sections, new Steps(sections, first, packed(sections, count - 1), count));
      }
      case ColumnKind.PADDED -> {
        int width = in.readVInt();
        SectionReader.require(width > 0 && width <= NumberText.MAX_DIGITS, "digits", width);
        yield new Padded(sections, width, packed(sections, count));
      }
      case ColumnKind.DECIMAL -> {
        int scale = in.readByte();
        int kept = in.readByte();
        SectionReader.require(scale >= 0 && scale <= NumberText.MAX_DIGITS, "scale", scale);
        SectionReader.require(kept >= 0 && kept <= scale, "digits behind the point", kept);
        yield new Decimal(sections, scale, kept, packed(sections, count));
      }
      case ColumnKind.TIME -> {
        TimeText layout = layout(in);
        yield new Time(sections, layout, packed(sections, count));
      }
      case ColumnKind.TIME_STEPS -> {
        TimeText layout = layout(in);
        long first = SectionReader.readZLong(in);
        yield new Time(
            sections, layout, new Steps(sections, first, packed(sections, count - 1), count));
      }
      case ColumnKind.HEX -> {
        int flags = in.readByte();
        int packed = in.readVInt();
        SectionReader.require(packed > 0, "packed bytes", packed);
        yield new Hex(sections, flags, packed, sections.takePacked((long) packed * count));
      }
      case ColumnKind.DICTIONARY -> new Dictionary(sections, count);
      case ColumnKind.TEMPLATE -> new TemplateColumn(sections, templates, count);
      case ColumnKind.TEXT -> new Text(sections, count);
      case ColumnKind.BASE64 -> new Base64(new Text(sections, count));
      default -> throw new IllegalStateException("column of kind " + kind);
    };
  }

  private static PackedLongs packed(SectionReader sections, int count) {
    return PackedLongs.read(sections.directory, sections, count);
  }

  private static TimeText layout(ByteArrayDataInput in) {
    byte separator = in.readByte();
    byte point = in.readByte();
    int fraction = in.readByte();
    int length = in.readVInt();
    SectionReader.require(fraction >= 0 && fraction <= 9, "digits of a fraction", fraction);
    SectionReader.require(length >= 0 && length <= 16, "suffix", length);
    byte[] suffix = new byte[length];
    in.readBytes(suffix, 0, length);
    return new TimeText(separator, point, fraction, suffix);
  }

  /** Whole numbers by their place. */
  private interface Longs {
    long get(SectionReader sections, int index);
  }

  /** A first number and the differences after it. */
  private static final class Steps implements Longs {
    private final PackedLongs steps;
    private final Marks marks;
    private int at;
    private long value;

    Steps(SectionReader sections, long first, PackedLongs steps, int count) {
      this.steps = steps;
      this.marks = new Marks(sections, first, count);
      this.value = first;
    }

    @Override
    public long get(SectionReader sections, int index) {
      if (marks.shorter(at, index)) {
        at = marks.before(index);
        value = marks.value(at);
      }
      while (at < index) {
        value += steps.get(sections, at++);
        marks.pass(at, value);
      }
      return value;
    }
  }

  private static final class Constant extends Column {
    private final SectionReader sections;
    private final int from;
    private final int length;

    Constant(SectionReader sections, int from, int length) {
      this.sections = sections;
      this.from = from;
      this.length = length;
    }

    @Override
    int longest() {
      return length;
    }

    @Override
    public void append(int index, ByteSink out) {
      sections.text(from, length, out);
    }
  }

  private static final class Number extends Column {
    private final SectionReader sections;
    private final Longs values;

    Number(SectionReader sections, PackedLongs values) {
      this(sections, values::get);
    }

    Number(SectionReader sections, Longs values) {
      this.sections = sections;
      this.values = values;
    }

    @Override
    int longest() {
      return NumberText.LONGEST;
    }

    @Override
    public void append(int index, ByteSink out) {
      NumberText.append(values.get(sections, index), out);
    }
  }

  private static final class Padded extends Column {
    private final SectionReader sections;
    private final int width;
    private final PackedLongs values;

    Padded(SectionReader sections, int width, PackedLongs values) {
      this.sections = sections;
      this.width = width;
      this.values = values;
    }

    @Override
    int longest() {
      return width;
    }

    @Override
    public void append(int index, ByteSink out) {
      NumberText.appendPadded(values.get(sections, index), width, out);
    }
  }

  private static final class Decimal extends Column {
    private final SectionReader sections;
    private final int scale;
    private final int kept;
    private final PackedLongs values;

    Decimal(SectionReader sections, int scale, int kept, PackedLongs values) {
      this.sections = sections;
      this.scale = scale;
      this.kept = kept;
      this.values = values;
    }

    @Override
    public void append(int index, ByteSink out) {
      NumberText.appendDecimal(values.get(sections, index), scale, kept, out);
    }
  }

  private static final class Time extends Column {
    private final SectionReader sections;
    private final TimeText layout;
    private final Longs values;

    Time(SectionReader sections, TimeText layout, PackedLongs values) {
      this(sections, layout, values::get);
    }

    Time(SectionReader sections, TimeText layout, Longs values) {
      this.sections = sections;
      this.layout = layout;
      this.values = values;
    }

    @Override
    public void append(int index, ByteSink out) {
      layout.append(values.get(sections, index), out);
    }
  }

  private static final class Hex extends Column {
    private final SectionReader sections;
    private final int flags;
    private final int each;
    private final int base;

    Hex(SectionReader sections, int flags, int each, int base) {
      this.sections = sections;
      this.flags = flags;
      this.each = each;
      this.base = base;
    }

    @Override
    int longest() {
      return HexText.longest(each);
    }

    @Override
    public void append(int index, ByteSink out) {
      int at = base + index * each;
      HexText.append(sections.bytes(at, each), sections.offset(at), each, flags, out);
    }
  }

  private static final class Dictionary extends Column {
    private final SectionReader sections;
    private final PackedLongs numbers;
    private final int start;
    private final int[] ends;
    private final int longest;

    Dictionary(SectionReader sections, int count) {
      this.sections = sections;
      int size = sections.directory.readVInt();
      SectionReader.require(size > 0 && size <= count, "distinct values", size);
      numbers = packed(sections, count);
      PackedLongs lengths = packed(sections, size);
      ends = new int[size];
      sections.charge(4L * size);
      long total = 0;
      long most = 0;
      for (int i = 0; i < size; i++) {
        long length = lengths.get(sections, i);
        most = Math.max(most, length);
        SectionReader.require(length >= 0, "length", length);
        total += length;
        SectionReader.require(total <= Integer.MAX_VALUE, "text", total);
        ends[i] = (int) total;
      }
      int base = sections.takeText(total);
      for (int i = 0; i < size; i++) {
        ends[i] += base;
      }
      start = base;
      longest = (int) most;
    }

    @Override
    int longest() {
      return longest;
    }

    @Override
    public void append(int index, ByteSink out) {
      int number = (int) numbers.get(sections, index);
      int from = number == 0 ? start : ends[number - 1];
      sections.text(from, ends[number] - from, out);
    }
  }

  private static final class Text extends Column {
    private final SectionReader sections;
    private final PackedLongs lengths;
    private final int base;
    private final int end;
    private final Marks marks;
    private int at;
    private int from;

    Text(SectionReader sections, int count) {
      this.sections = sections;
      int total = sections.directory.readVInt();
      lengths = packed(sections, count);
      base = sections.takeText(total);
      end = base + total;
      from = base;
      marks = new Marks(sections, base, count);
    }

    @Override
    int longest() {
      return (int) Math.min(lengths.most(), Integer.MAX_VALUE);
    }

    @Override
    public void append(int index, ByteSink out) {
      if (marks.shorter(at, index)) {
        at = marks.before(index);
        from = (int) marks.value(at);
      }
      while (at < index) {
        from += (int) lengths.get(sections, at++);
        marks.pass(at, from);
      }
      int length = (int) lengths.get(sections, index);
      SectionReader.require(length >= 0 && from >= base && length <= end - from, "length", length);
      sections.text(from, length, out);
    }
  }

  /** Base64 of the bytes that another column holds. */
  private static final class Base64 extends Column {
    private final Column decoded;

    Base64(Column decoded) {
      this.decoded = decoded;
    }

    @Override
    int longest() {
      return (int) Math.min(Base64Text.length(decoded.longest()), Integer.MAX_VALUE);
    }

    @Override
    public void append(int index, ByteSink out) {
      ByteSink bytes = new ByteSink(Math.min(decoded.longest(), MOST_AT_ONCE));
      decoded.append(index, bytes);
      Base64Text.append(bytes.bytes, 0, bytes.length, out);
    }
  }
}
