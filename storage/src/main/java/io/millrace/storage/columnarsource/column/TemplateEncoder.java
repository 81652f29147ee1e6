package io.millrace.storage.columnarsource.column;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.columnarsource.bytes.SpanTable;
import io.millrace.storage.columnarsource.bytes.Spans;
import io.millrace.storage.columnarsource.section.PackedLongs;
import io.millrace.storage.columnarsource.section.SectionWriter;
import io.millrace.storage.columnarsource.segment.SegmentDictionary;
import io.millrace.storage.columnarsource.text.MessageSplit;
import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/**
 * Writes a column of messages as templates and variables.
 *
 * <p>Directory: {@link ColumnKind#TEMPLATE}, number of templates (vint), per template its variables
 * and its messages in this block (vint each), then the template of each message as {@link
 * PackedLongs} (0: none). Templates with {@value #OWN_COLUMNS} messages or more have one column per
 * variable: for each such template the bytes that its columns take of the directory, the packed
 * values and the text (vint each, so that reading a message skips the others), then all their
 * columns; then one column of all other variables and one of the messages without a template, each
 * where there are any. The templates' texts are the segment's; the block names them in its
 * references, in the same order.
 *
 * <p>Which template a message gets is free: any whose holes its variables fill. Three are tried.
 * First words with digits are the variables: the usual log line. What is left, lines in which a
 * name or a path changes, is grouped by what stands between its words; a group of {@value
 * #OWN_COLUMNS} gets a template whose variables are the words that differ within the group. Of the
 * rest a message has a template if that came before in the segment or twice in the block, and none
 * otherwise.
 */
public final class TemplateEncoder {
  /** Messages of a block from which the variables of a template get columns of their own. */
  public static final int OWN_COLUMNS = 8;

  private final SectionWriter out;
  private final SegmentDictionary dictionary;
  private final ColumnEncoder columns;
  private final MessageSplit split = new MessageSplit();
  private final SpanTable local = new SpanTable(1024);
  private final SpanTable groups = new SpanTable(1024);
  private final ByteSink inner = new ByteSink(1024);
  private final ByteSink merged = new ByteSink(MessageSplit.MAX_TEMPLATE + 64);

  // per message: its template among the local ones, the rank it is written with, its variables
  private int[] localOf = new int[2048];
  private int[] groupOf = new int[2048];
  private long[] ranks = new long[2048];
  private int[] first = new int[2048];
  private int[] firstWord = new int[2048];
  private int[] sorted = new int[2048];

  // per local template or group
  private int[] sights = new int[1024];
  private int[] variables = new int[1024];
  private int[] rank = new int[1024];

  // per rank, from 1
  private int chosen;
  private int[] chosenVariables = new int[1024];
  private int[] chosenSights = new int[1024];

  /** For one block after another; templates are numbered by the segment's dictionary. */
  public TemplateEncoder(SectionWriter out, SegmentDictionary dictionary) {
    this.out = out;
    this.dictionary = dictionary;
    this.columns = new ColumnEncoder(out, null);
  }

  /** False where no message has a template that comes again; nothing is written then. */
  boolean encode(Spans values) {
    if (!ColumnEncoder.messageLike(values)) {
      return false;
    }
    Spans all = new Spans(values.text, 8 * values.count);
    chosen = 0;
    int left = takeApart(values, all);
    if (left >= OWN_COLUMNS) {
      left -= groupByPunctuation(values, all);
    }
    if (left > 0) {
      rareTemplates(values.count);
    }
    if (chosen == 0) {
      return false;
    }
    write(values, all);
    return true;
  }

  /** Finds the frequent templates; returns how many messages have none of them. */
  private int takeApart(Spans values, Spans all) {
    int count = values.count;
    localOf = ArrayUtil.grow(localOf, count);
    groupOf = ArrayUtil.grow(groupOf, count);
    ranks = ArrayUtil.grow(ranks, count);
    first = ArrayUtil.grow(first, count);
    firstWord = ArrayUtil.grow(firstWord, count);
    local.clear();
    for (int i = 0; i < count; i++) {
      first[i] = all.count;
      localOf[i] = split(values, i, false, local, all);
    }
    rank = ArrayUtil.grow(rank, local.size());
    for (int id = 0; id < local.size(); id++) {
      rank[id] = 0;
      if (sights[id] >= OWN_COLUMNS) {
        int entry =
            dictionary.template(
                local.bytes(), local.start(id), local.length(id), local.hash(id), sights[id]);
        rank[id] = choose(entry, variables[id], sights[id]);
      }
    }
    int left = 0;
    for (int i = 0; i < count; i++) {
      ranks[i] = localOf[i] < 0 ? 0 : rank[localOf[i]];
      left += ranks[i] == 0 ? 1 : 0;
    }
    return left;
  }

  /** The template of a message in a table, or -1; its variables go to {@code all}. */
  private int split(Spans values, int i, boolean words, SpanTable table, Spans all) {
    int start = values.starts[i];
    if (!split.split(values.text, start, start + values.lengths[i], words)) {
      return -1;
    }
    int before = table.size();
    int id = table.add(split.template.bytes, 0, split.template.length);
    if (id == before) {
      sights = ArrayUtil.grow(sights, id + 1);
      variables = ArrayUtil.grow(variables, id + 1);
      sights[id] = 0;
      variables[id] = split.variables;
    }
    sights[id]++;
    for (int v = 0; v < split.variables; v++) {
      all.add(split.starts[v], split.ends[v] - split.starts[v]);
    }
    return id;
  }

  /** The rank of a template of the dictionary, 0 if it has no entry there. */
  private int choose(int entry, int holes, int messages) {
    if (entry == SpanTable.ABSENT) {
      return 0;
    }
    out.template(entry);
    chosen++;
    chosenVariables = ArrayUtil.grow(chosenVariables, chosen + 1);
    chosenSights = ArrayUtil.grow(chosenSights, chosen + 1);
    chosenVariables[chosen] = holes;
    chosenSights[chosen] = messages;
    return chosen;
  }

  /** Gives templates to messages that differ in words; returns to how many. */
  private int groupByPunctuation(Spans values, Spans all) {
    int[] localSights = Arrays.copyOf(sights, local.size());
    int[] localVariables = Arrays.copyOf(variables, local.size());
    groups.clear();
    for (int i = 0; i < values.count; i++) {
      if (ranks[i] == 0) {
        firstWord[i] = all.count;
        groupOf[i] = split(values, i, true, groups, all);
      }
    }
    int grouped = 0;
    int[] behind = membersByGroup(values.count);
    for (int id = 0; id < groups.size(); id++) {
      int size = sights[id];
      if (size < OWN_COLUMNS) {
        continue;
      }
      int[] members = Arrays.copyOfRange(sorted, behind[id] - size, behind[id]);
      boolean[] varies = varies(values.text, all, members, size, variables[id]);
      int holes = fillConstants(values.text, all, id, members[0], varies);
      if (merged.length > MessageSplit.MAX_TEMPLATE) {
        continue;
      }
      int hash = SpanTable.hash(merged.bytes, 0, merged.length);
      int chosenRank =
          choose(dictionary.template(merged.bytes, 0, merged.length, hash, size), holes, size);
      if (chosenRank == 0) {
        continue;
      }
      grouped += size;
      for (int k = 0; k < size; k++) {
        int from = firstWord[members[k]];
        int to = from;
        for (int v = 0; v < varies.length; v++) {
          if (varies[v]) {
            all.starts[to] = all.starts[from + v];
            all.lengths[to++] = all.lengths[from + v];
          }
        }
        first[members[k]] = from;
        ranks[members[k]] = chosenRank;
      }
    }
    sights = ArrayUtil.grow(sights, localSights.length);
    variables = ArrayUtil.grow(variables, localSights.length);
    System.arraycopy(localSights, 0, sights, 0, localSights.length);
    System.arraycopy(localVariables, 0, variables, 0, localSights.length);
    return grouped;
  }

  /** Sorts messages without a template by their group; returns where those of each end. */
  private int[] membersByGroup(int count) {
    sorted = ArrayUtil.grow(sorted, count);
    int[] ends = new int[groups.size()];
    for (int id = 1; id < ends.length; id++) {
      ends[id] = ends[id - 1] + sights[id - 1];
    }
    for (int i = 0; i < count; i++) {
      if (ranks[i] == 0 && groupOf[i] >= 0) {
        sorted[ends[groupOf[i]]++] = i;
      }
    }
    return ends;
  }

  /** Which words of a group differ. */
  private boolean[] varies(byte[] text, Spans all, int[] members, int size, int words) {
    boolean[] varies = new boolean[words];
    int model = firstWord[members[0]];
    for (int k = 1; k < size; k++) {
      int own = firstWord[members[k]];
      for (int v = 0; v < words; v++) {
        varies[v] = varies[v] || !same(text, all, model + v, own + v);
      }
    }
    return varies;
  }

  /** Whether two values are equal; the first byte, which is nearly always there, tells most. */
  private static boolean same(byte[] text, Spans all, int one, int other) {
    int length = all.lengths[one];
    int from = all.starts[one];
    int to = all.starts[other];
    return length == all.lengths[other]
        && (length == 0
            || text[from] == text[to]
                && Arrays.equals(text, from, from + length, text, to, to + length));
  }

  /** Makes the group's template of its punctuation and the words that are the same. */
  private int fillConstants(byte[] text, Spans all, int group, int member, boolean[] varies) {
    merged.length = 0;
    int holes = 0;
    int word = firstWord[member];
    int v = 0;
    for (int i = groups.start(group); i < groups.start(group) + groups.length(group); i++) {
      byte c = groups.bytes()[i];
      if (c != MessageSplit.HOLE) {
        merged.writeByte(c);
      } else if (varies[v++]) {
        merged.writeByte(MessageSplit.HOLE);
        holes++;
        word++;
      } else {
        merged.write(text, all.starts[word], all.lengths[word]);
        word++;
      }
    }
    return holes;
  }

  /** Gives templates to messages whose template came before or comes at least twice. */
  private void rareTemplates(int count) {
    for (int id = 0; id < local.size(); id++) {
      sights[id] = 0;
      rank[id] = 0;
    }
    for (int i = 0; i < count; i++) {
      if (ranks[i] == 0 && localOf[i] >= 0) {
        sights[localOf[i]]++;
      }
    }
    for (int id = 0; id < local.size(); id++) {
      if (sights[id] > 0) {
        int entry =
            dictionary.template(
                local.bytes(), local.start(id), local.length(id), local.hash(id), sights[id]);
        rank[id] = choose(entry, variables[id], sights[id]);
      }
    }
    for (int i = 0; i < count; i++) {
      if (ranks[i] == 0 && localOf[i] >= 0) {
        ranks[i] = rank[localOf[i]];
      }
    }
  }

  private void write(Spans values, Spans all) {
    out.directory.writeByte(ColumnKind.TEMPLATE);
    out.directory.writeVInt(chosen);
    int[] from = new int[chosen + 2];
    for (int t = 1; t <= chosen; t++) {
      out.directory.writeVInt(chosenVariables[t]);
      out.directory.writeVInt(chosenSights[t]);
      from[t + 1] = from[t] + chosenSights[t];
    }
    Spans others = new Spans(values.text, 64);
    Spans whole = new Spans(values.text, 64);
    for (int i = 0; i < values.count; i++) {
      int t = (int) ranks[i];
      if (t == 0) {
        whole.add(values.starts[i], values.lengths[i]);
      } else if (chosenSights[t] < OWN_COLUMNS) {
        for (int v = first[i]; v < first[i] + chosenVariables[t]; v++) {
          others.add(all.starts[v], all.lengths[v]);
        }
      }
    }
    PackedLongs.write(
        ranks, values.count, PackedLongs.plan(ranks, values.count), out.directory, out.packed);
    ownColumns(values, all, from);
    if (others.count > 0) {
      columns.encode(others);
    }
    if (whole.count > 0) {
      columns.text(whole);
    }
  }

  /**
   * @param from for each rank where its messages begin, once all are sorted by rank
   */
  private void ownColumns(Spans values, Spans all, int[] from) {
    sorted = ArrayUtil.grow(sorted, values.count);
    int[] next = from.clone();
    for (int i = 0; i < values.count; i++) {
      if (ranks[i] > 0) {
        sorted[next[(int) ranks[i]]++] = i;
      }
    }
    Spans column = new Spans(values.text, 256);
    ByteSink outer = out.directory;
    inner.length = 0;
    out.directory = inner;
    for (int t = 1; t <= chosen; t++) {
      if (chosenSights[t] < OWN_COLUMNS) {
        continue;
      }
      int directory = inner.length;
      int packed = out.packed.length;
      int text = out.textLength();
      for (int v = 0; v < chosenVariables[t]; v++) {
        column.count = 0;
        for (int k = from[t]; k < from[t + 1]; k++) {
          int at = first[sorted[k]] + v;
          column.add(all.starts[at], all.lengths[at]);
        }
        columns.encode(column);
      }
      outer.writeVInt(inner.length - directory);
      outer.writeVInt(out.packed.length - packed);
      outer.writeVInt(out.textLength() - text);
    }
    out.directory = outer;
    outer.write(inner.bytes, 0, inner.length);
  }

  /** Heap that it holds, bytes. */
  public long ramBytesUsed() {
    return local.ramBytesUsed()
        + groups.ramBytesUsed()
        + columns.ramBytesUsed()
        + 4L * (localOf.length + groupOf.length + first.length + firstWord.length + sorted.length)
        + 8L * ranks.length;
  }
}
