package io.millrace.storage.columnarsource.column;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.columnarsource.section.PackedLongs;
import io.millrace.storage.columnarsource.section.SectionReader;
import io.millrace.storage.columnarsource.text.MessageSplit;
import org.apache.lucene.store.ByteArrayDataInput;
import org.jspecify.annotations.Nullable;

/** Reads what {@link TemplateEncoder} wrote. */
final class TemplateColumn extends Column {
  private static final int HEAP = 512;

  /** Numbers and the place of a template's columns; these themselves come on top when read. */
  private static final long HEAP_OF_TEMPLATE = 60;

  private final SectionReader sections;
  private final BlockTemplates templates;
  private final int base;
  private final int[] variables;
  private final PackedLongs ids;
  private final int[] sights;
  private final SectionReader.@Nullable Place[] places;
  private final Column[] @Nullable [] own;
  private final int[] longest; // 0 where nobody has asked
  private final @Nullable Column others;
  private final @Nullable Column whole;
  private final ByteSink template = new ByteSink(256);

  // of each of the first `known` messages: its place in the column that its values come from
  private final int[] ranks;
  private int known;
  private final int[] messages;
  private int othersBefore;
  private int wholeBefore;

  TemplateColumn(SectionReader sections, BlockTemplates templates, int count) {
    this.sections = sections;
    this.templates = templates;
    ByteArrayDataInput in = sections.directory;
    int size = in.readVInt();
    base = templates.take(size);
    variables = new int[size + 1];
    sights = new int[size + 1];
    longest = new int[size + 1];
    long with = 0;
    long otherVariables = 0;
    for (int t = 1; t <= size; t++) {
      variables[t] = in.readVInt();
      sights[t] = in.readVInt();
      SectionReader.require(
          variables[t] >= 0 && variables[t] <= MessageSplit.MAX_VARIABLES,
          "variables",
          variables[t]);
      SectionReader.require(sights[t] > 0 && sights[t] <= count, "messages", sights[t]);
      with += sights[t];
      if (sights[t] < TemplateEncoder.OWN_COLUMNS) {
        otherVariables += (long) sights[t] * variables[t];
      }
    }
    SectionReader.require(with <= count, "messages with templates", with);
    ids = PackedLongs.read(in, sections, count);
    own = new Column[size + 1][];
    places = new SectionReader.Place[size + 1];
    int[][] taken = new int[size + 1][];
    for (int t = 1; t <= size; t++) {
      if (sights[t] >= TemplateEncoder.OWN_COLUMNS) {
        taken[t] = new int[] {in.readVInt(), in.readVInt(), in.readVInt()};
      }
    }
    SectionReader.Place place = sections.place();
    for (int t = 1; t <= size; t++) {
      if (taken[t] != null) {
        places[t] = place;
        place =
            new SectionReader.Place(
                Math.addExact(place.directory(), taken[t][0]),
                Math.addExact(place.packed(), taken[t][1]),
                Math.addExact(place.text(), taken[t][2]));
      }
    }
    sections.moveTo(place);
    others = otherVariables == 0 ? null : Column.read(sections, templates, (int) otherVariables);
    whole = with == count ? null : Column.read(sections, templates, count - (int) with);
    messages = new int[size + 1];
    ranks = new int[count];
    sections.charge(HEAP + 4L * count + HEAP_OF_TEMPLATE * size);
  }

  private int id(int index) {
    return (int) ids.get(sections, index);
  }

  private int rank(int index) {
    for (; known <= index; known++) {
      int t = id(known);
      if (t == 0) {
        ranks[known] = wholeBefore++;
      } else if (places[t] == null) {
        ranks[known] = othersBefore;
        othersBefore += variables[t];
      } else {
        ranks[known] = messages[t]++;
      }
    }
    return ranks[index];
  }

  @Override
  public int template(int index) {
    return id(index);
  }

  @Override
  public int templates() {
    return variables.length - 1;
  }

  @Override
  public int place(int template) {
    return templates.place(base + template - 1);
  }

  @Override
  public int longestVariable(int template) {
    if (longest[template] == 0) {
      Column[] columns = columns(template);
      int most = columns == null && variables[template] > 0 ? present(others).longest() : 1;
      for (int v = 0; columns != null && v < columns.length; v++) {
        most = Math.max(most, columns[v].longest());
      }
      longest[template] = most;
    }
    return longest[template];
  }

  @Override
  public void variable(int index, int hole, ByteSink out) {
    int rank = rank(index);
    int t = id(index);
    SectionReader.require(t > 0 && hole < variables[t], "hole", hole);
    Column[] columns = columns(t);
    if (columns == null) {
      present(others).append(rank + hole, out);
    } else {
      columns[hole].append(rank, out);
    }
  }

  @Override
  public void append(int index, ByteSink out) {
    int rank = rank(index);
    int t = id(index);
    if (t == 0) {
      present(whole).append(rank, out);
      return;
    }
    template.length = 0;
    templates.text(base + t - 1, template);
    Column[] columns = columns(t);
    int hole = 0;
    int literal = 0;
    for (int i = 0; i < template.length; i++) {
      if (template.bytes[i] == MessageSplit.HOLE) {
        out.write(template.bytes, literal, i - literal);
        literal = i + 1;
        if (columns != null) {
          columns[hole++].append(rank, out);
        } else {
          present(others).append(rank + hole++, out);
        }
      }
    }
    SectionReader.require(hole == variables[t], "holes", hole);
    out.write(template.bytes, literal, template.length - literal);
  }

  /** The columns of a template that has its own, read when its first message is. */
  private Column @Nullable [] columns(int t) {
    SectionReader.Place place = places[t];
    if (place == null || own[t] != null) {
      return own[t];
    }
    sections.moveTo(place);
    Column[] columns = new Column[variables[t]];
    for (int v = 0; v < columns.length; v++) {
      columns[v] = Column.read(sections, templates, sights[t]);
    }
    own[t] = columns;
    return columns;
  }

  private static Column present(@Nullable Column column) {
    if (column == null) {
      throw new IllegalStateException("a message names a column that is not there");
    }
    return column;
  }
}
