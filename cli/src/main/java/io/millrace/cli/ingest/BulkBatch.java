package io.millrace.cli.ingest;

import io.millrace.corpus.JsonBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One bulk request under construction: the body, and where each of its items starts, so that single
 * items can be sent again or put aside. Reused; not thread-safe.
 */
final class BulkBatch {
  private final JsonBuffer body;
  private int[] start = new int[256];
  private int[] source = new int[256];
  private long[] line = new long[256];
  private String[] origin = new String[256];
  private int items;

  BulkBatch(int bulkBytes) {
    body = new JsonBuffer(bulkBytes + (bulkBytes >> 3));
  }

  /** The body; an item's lines are appended here between {@link #begin} and {@link #end}. */
  JsonBuffer body() {
    return body;
  }

  int items() {
    return items;
  }

  int bytes() {
    return body.size();
  }

  /** Starts an item; the action line comes next. */
  void begin(String from, long lineNumber) {
    if (items == start.length) {
      int more = items * 2;
      start = Arrays.copyOf(start, more);
      source = Arrays.copyOf(source, more);
      line = Arrays.copyOf(line, more);
      origin = Arrays.copyOf(origin, more);
    }
    start[items] = body.size();
    source[items] = body.size();
    line[items] = lineNumber;
    origin[items] = from;
  }

  /** The action line is written (with its line feed); the document comes next. */
  void document() {
    source[items] = body.size();
  }

  /** The item is complete (with its line feed). */
  void end() {
    items++;
  }

  /** Takes back an item that was begun and not ended. */
  void abandon() {
    body.truncate(start[items]);
  }

  private int end(int item) {
    return item + 1 < items ? start[item + 1] : body.size();
  }

  String origin(int item) {
    return origin[item];
  }

  long line(int item) {
    return line[item];
  }

  /** The document of an item, or its action line when it has no document, without line feed. */
  String document(int item) {
    int from = source[item] < end(item) ? source[item] : start[item];
    int length = Math.max(0, end(item) - from - 1);
    return new String(body.array(), from, length, StandardCharsets.UTF_8);
  }

  /** Whether the action line of an item names an id; else the server makes one. */
  boolean namesId(int item) {
    return new String(body.array(), start[item], source[item] - start[item], StandardCharsets.UTF_8)
        .contains("\"_id\"");
  }

  /** Appends items of this batch to another one. */
  void copy(int item, BulkBatch target) {
    target.begin(origin[item], line[item]);
    int from = start[item];
    target.source[target.items] += source[item] - from;
    target.body.raw(body.array(), from, end(item) - from);
    target.end();
  }

  /** A new batch with a range of this one's items. */
  BulkBatch slice(int fromItem, int toItem) {
    BulkBatch part = new BulkBatch(end(toItem - 1) - start[fromItem]);
    for (int i = fromItem; i < toItem; i++) {
      copy(i, part);
    }
    return part;
  }

  void clear() {
    body.clear();
    Arrays.fill(origin, 0, items, null);
    items = 0;
  }
}
