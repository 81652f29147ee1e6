package io.millrace.storage.columnarsource;

import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/**
 * Writes a column of messages as templates and variables.
 *
 * <p>Directory: {@link ColumnKind#TEMPLATE}, number of templates (vint), per template its variables
 * and its messages in this block (vint each), then the template of each message as {@link
 * PackedLongs} (0: none). Templates with {@value #OWN_COLUMNS} messages or more follow with one
 * column per variable; then one column of all other variables and one of the messages without a
 * template, each where there are any. The templates' texts are the segment's; the block names them
 * in its references, in the same order.
 */
final class TemplateEncoder {
  /** Messages of a block from which the variables of a template get columns of their own. */
  static final int OWN_COLUMNS = 8;

  private final BlockOutput out;
  private final SegmentDictionary dictionary;
  private final ColumnEncoder columns;
  private final MessageSplit split = new MessageSplit();
  private final SpanTable local = new SpanTable(1024);
  private int[] localOf = new int[2048];
  private int[] firstVariable = new int[2048];
  private int[] sights = new int[1024];
  private int[] variables = new int[1024];
  private int[] rank = new int[1024];
  private long[] ids = new long[2048];
  private int[] sorted = new int[2048];
  private int[] from = new int[1024];

  TemplateEncoder(BlockOutput out, SegmentDictionary dictionary) {
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
    takeApart(values, all);
    int chosen = choose();
    if (chosen == 0) {
      return false;
    }
    write(values, all, chosen);
    return true;
  }

  private void takeApart(Spans values, Spans all) {
    int count = values.count;
    localOf = ArrayUtil.grow(localOf, count);
    firstVariable = ArrayUtil.grow(firstVariable, count + 1);
    local.clear();
    for (int i = 0; i < count; i++) {
      firstVariable[i] = all.count;
      int start = values.starts[i];
      if (!split.split(values.text, start, start + values.lengths[i])) {
        localOf[i] = -1;
        continue;
      }
      int before = local.size();
      int id = local.add(split.template.bytes, 0, split.template.length);
      localOf[i] = id;
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
    }
    firstVariable[count] = all.count;
  }

  /** Ranks, from 1, the templates that get an entry; returns how many. */
  private int choose() {
    int chosen = 0;
    rank = ArrayUtil.grow(rank, local.size());
    ids = ArrayUtil.grow(ids, Math.max(local.size(), localOf.length));
    for (int id = 0; id < local.size(); id++) {
      int entry =
          dictionary.template(
              local.bytes(), local.start(id), local.length(id), local.hash(id), sights[id]);
      rank[id] = entry == SpanTable.ABSENT ? 0 : ++chosen;
      if (rank[id] > 0) {
        out.template(entry);
      }
    }
    return chosen;
  }

  private void write(Spans values, Spans all, int chosen) {
    out.directory.writeByte(ColumnKind.TEMPLATE);
    out.directory.writeVInt(chosen);
    from = ArrayUtil.grow(from, chosen + 2);
    Arrays.fill(from, 0, chosen + 2, 0);
    for (int id = 0; id < local.size(); id++) {
      if (rank[id] > 0) {
        out.directory.writeVInt(variables[id]);
        out.directory.writeVInt(sights[id]);
        from[rank[id] + 1] = sights[id];
      }
    }
    Spans others = new Spans(values.text, 64);
    Spans whole = new Spans(values.text, 64);
    for (int i = 0; i < values.count; i++) {
      int id = localOf[i];
      ids[i] = id < 0 ? 0 : rank[id];
      if (ids[i] == 0) {
        whole.add(values.starts[i], values.lengths[i]);
      } else if (sights[id] < OWN_COLUMNS) {
        for (int v = firstVariable[i]; v < firstVariable[i + 1]; v++) {
          others.add(all.starts[v], all.lengths[v]);
        }
      }
    }
    PackedLongs.write(
        ids, values.count, PackedLongs.plan(ids, values.count), out.directory, out.packed);
    ownColumns(values, all, chosen);
    if (others.count > 0) {
      columns.encode(others);
    }
    if (whole.count > 0) {
      columns.text(whole);
    }
  }

  private void ownColumns(Spans values, Spans all, int chosen) {
    for (int t = 1; t <= chosen; t++) {
      from[t + 1] += from[t];
    }
    sorted = ArrayUtil.grow(sorted, values.count);
    int[] next = Arrays.copyOf(from, chosen + 1);
    for (int i = 0; i < values.count; i++) {
      if (ids[i] > 0) {
        sorted[next[(int) ids[i]]++] = i;
      }
    }
    Spans column = new Spans(values.text, 256);
    for (int t = 1; t <= chosen; t++) {
      int messages = from[t + 1] - from[t];
      if (messages < OWN_COLUMNS) {
        continue;
      }
      int first = sorted[from[t]];
      int each = firstVariable[first + 1] - firstVariable[first];
      for (int v = 0; v < each; v++) {
        column.count = 0;
        for (int k = from[t]; k < from[t + 1]; k++) {
          int at = firstVariable[sorted[k]] + v;
          column.add(all.starts[at], all.lengths[at]);
        }
        columns.encode(column);
      }
    }
  }

  long ramBytesUsed() {
    return local.ramBytesUsed()
        + columns.ramBytesUsed()
        + 4L * (localOf.length + firstVariable.length + sorted.length)
        + 8L * ids.length;
  }
}
