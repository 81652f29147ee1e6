package io.millrace.storage.ordinalpostings;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The pairs (ordinal, document) of one field, taken in order of documents and given back in order
 * of ordinals, in bounded memory.
 *
 * <p>A pair is one long, the document in its low 31 bits. Up to {@code capacity} pairs are sorted
 * in memory, by a radix sort of the ordinal's bits alone: it is stable, so documents stay in order.
 * More than that are sorted in runs of {@code capacity}, written to a temporary file of the
 * segment's directory and merged while they are read; what is held then is one run while adding,
 * and {@value #READ_AHEAD} pairs a run while reading.
 */
final class SortedPairs implements Closeable {
  /** 16 MiB of pairs, and as much again to sort them. */
  static final int CAPACITY = 1 << 21;

  static final int DOC_BITS = 31;

  /** Ordinals from here on do not fit beside a document; two billion documents cannot have them. */
  static final long MAX_TERMS = 1L << (63 - DOC_BITS);

  private static final int READ_AHEAD = 1024;
  private static final int RADIX_BITS = 11;
  private static final String CODEC = "MillraceOrdinalPairs";

  private final Directory directory;
  private final String segment;
  private final IOContext context;
  private final int capacity;
  private final int ordBits;

  private long[] pairs;
  private long[] scratch = new long[0];
  private int held;
  private long size;

  private @Nullable IndexOutput spill;
  private @Nullable String spilled;
  private @Nullable IndexInput runs;
  private long runsStart;

  /**
   * @param terms how many ordinals there are
   * @param expected how many pairs there may be; only a hint
   * @param capacity how many pairs may be held
   * @throws IllegalArgumentException when there are {@link #MAX_TERMS} terms or more
   */
  SortedPairs(
      Directory directory,
      String segment,
      IOContext context,
      long terms,
      long expected,
      int capacity) {
    if (terms >= MAX_TERMS) {
      throw new IllegalArgumentException(
          "a field of " + terms + " terms in one segment; at most " + MAX_TERMS + " can be listed");
    }
    this.directory = directory;
    this.segment = segment;
    this.context = context;
    this.capacity = capacity;
    this.ordBits = terms <= 1 ? 0 : 64 - Long.numberOfLeadingZeros(terms - 1);
    this.pairs = new long[(int) Math.min(capacity, Math.max(16, expected))];
  }

  /** Documents must come in order; the ordinals of one document in any. */
  void add(long ord, int doc) throws IOException {
    if (held == pairs.length) {
      if (held == capacity) {
        spill();
      } else {
        pairs = Arrays.copyOf(pairs, Math.min(capacity, ArrayUtil.oversize(held + 1, Long.BYTES)));
      }
    }
    pairs[held++] = ord << DOC_BITS | doc;
    size++;
  }

  /** How many pairs were added. */
  long size() {
    return size;
  }

  /** No pair comes any more. */
  void finish() throws IOException {
    if (spill == null) {
      sort();
      return;
    }
    spill();
    pairs = scratch = new long[0];
    CodecUtil.writeFooter(spill);
    spilled = spill.getName();
    IOUtils.close(spill);
    runs = directory.openInput(spilled, IOContext.READONCE);
    CodecUtil.checksumEntireFile(runs);
  }

  private void spill() throws IOException {
    if (spill == null) {
      spill = directory.createTempOutput(segment, "ordinals", context);
      CodecUtil.writeHeader(spill, CODEC, 0);
      runsStart = spill.getFilePointer();
    }
    sort();
    for (int i = 0; i < held; i++) {
      spill.writeLong(pairs[i]);
    }
    held = 0;
  }

  /** By the bits of the ordinal, {@value #RADIX_BITS} at a time, the lowest first. */
  private void sort() {
    if (scratch.length < held) {
      scratch = new long[pairs.length];
    }
    int[] ends = new int[1 << RADIX_BITS];
    for (int shift = DOC_BITS; shift < DOC_BITS + ordBits; shift += RADIX_BITS) {
      Arrays.fill(ends, 0);
      int mask = ends.length - 1;
      for (int i = 0; i < held; i++) {
        ends[(int) (pairs[i] >>> shift) & mask]++;
      }
      int sum = 0;
      for (int digit = 0; digit < ends.length; digit++) {
        int count = ends[digit];
        ends[digit] = sum;
        sum += count;
      }
      for (int i = 0; i < held; i++) {
        long pair = pairs[i];
        scratch[ends[(int) (pair >>> shift) & mask]++] = pair;
      }
      long[] sorted = scratch;
      scratch = pairs;
      pairs = sorted;
    }
  }

  /** All pairs from the first; may be asked for more than once, after {@link #finish}. */
  Cursor cursor() throws IOException {
    return runs == null ? new Held() : new Merged();
  }

  @Override
  public void close() throws IOException {
    String file = spilled != null ? spilled : spill == null ? null : spill.getName();
    IOUtils.closeWhileHandlingException(runs, spilled == null ? spill : null);
    if (file != null) {
      directory.deleteFile(file);
    }
  }

  /** Walks over pairs in order of ordinals, and of documents for one ordinal. */
  abstract static class Cursor {
    /** The pair this stands on; ordinal and document are its high and low bits. */
    long pair;

    abstract boolean next() throws IOException;

    final long ord() {
      return pair >>> DOC_BITS;
    }

    final int doc() {
      return (int) pair & Integer.MAX_VALUE;
    }
  }

  private final class Held extends Cursor {
    private int at;

    @Override
    boolean next() {
      if (at == held) {
        return false;
      }
      pair = pairs[at++];
      return true;
    }
  }

  /** One sorted run of the temporary file; the pairs of two runs are never equal. */
  private static final class Run {
    private final IndexInput in;
    private long left;
    private final long[] ahead = new long[READ_AHEAD];
    private int at;
    private int end;
    long pair;

    Run(IndexInput in, long length) {
      this.in = in;
      this.left = length;
    }

    boolean next() throws IOException {
      if (at == end) {
        at = 0;
        end = (int) Math.min(left, READ_AHEAD);
        in.readLongs(ahead, 0, end);
        left -= end;
        if (end == 0) {
          return false;
        }
      }
      pair = ahead[at++];
      return true;
    }
  }

  private final class Merged extends Cursor {
    private final PriorityQueue<Run> queue;
    private boolean started;

    Merged() throws IOException {
      IndexInput file = Objects.requireNonNull(runs);
      List<Run> all = new ArrayList<>();
      for (long from = 0; from < size; from += capacity) {
        long length = Math.min(capacity, size - from);
        IndexInput slice = file.slice("run", runsStart + from * Long.BYTES, length * Long.BYTES);
        Run run = new Run(slice, length);
        run.next();
        all.add(run);
      }
      queue =
          new PriorityQueue<>(all.size()) {
            @Override
            protected boolean lessThan(Run a, Run b) {
              return a.pair < b.pair;
            }
          };
      queue.addAll(all);
    }

    @Override
    boolean next() throws IOException {
      if (started) {
        if (queue.top().next()) {
          queue.updateTop();
        } else {
          queue.pop();
        }
      }
      started = true;
      if (queue.size() == 0) {
        return false;
      }
      pair = queue.top().pair;
      return true;
    }
  }
}
