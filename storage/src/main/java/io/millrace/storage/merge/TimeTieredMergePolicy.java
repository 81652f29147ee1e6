package io.millrace.storage.merge;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.jspecify.annotations.Nullable;

/**
 * Merges segments that are neighbours in time and of similar size, so that segments of different
 * hours are not mixed and a search for an hour finds it in few of them.
 *
 * <p><b>Rule.</b> The last size class is everything from a {@value #LAST}th of the maximum; each
 * class below is a tenth. In the last class nothing is merged until neighbours fill a segment of
 * the maximum, or {@value #MOST} of them are there. In the others nothing is merged until {@value
 * #WIDTH} neighbours are there whose sum, less what a merge saves, belongs to a class above. So a
 * document is rewritten once per class, and never into a segment that only two or three more would
 * finish: that is where a rule of plain tens writes more than stock's tiered policy. Segments of
 * more than half of the maximum are finished.
 *
 * <p><b>Time.</b> The segments of a class are sorted by the middle of their times. A window is
 * merged at once if no gap within it is wider than a quarter of the whole. Where there are gaps,
 * because several writers lag by different times or old documents are loaded, the class waits until
 * it has {@value #PATIENCE} segments, and then the window that spans the least time per byte is
 * merged. The price of waiting is more segments.
 *
 * <p><b>Deletes.</b> A segment of which more than a third is deleted is rewritten alone. Forced
 * merges are stock's.
 *
 * <p>Why not stock's {@code log_byte_size}: it merges neighbours in the order of writing, which is
 * the order in time only as long as all writers are equally late. Figures for all three:
 * docs/merge-measured.md.
 *
 * <p>Sources: promise time-merges; Lucene's TieredMergePolicy and LogMergePolicy for what they do;
 * Cassandra's time-window compaction for the idea of not mixing.
 */
final class TimeTieredMergePolicy extends FilterMergePolicy {
  static final int WIDTH = 10;
  static final int PATIENCE = 30;

  /** Inputs of one merge at most; stock's {@code max_merge_at_once}. */
  static final int MOST = 30;

  /** Less than twice {@link #MOST}, so that as many of the last class always finish a segment. */
  static final int LAST = 50;

  private static final double MAX_DELETED = 1.0 / 3;

  private final SegmentTimes times;
  private final LongSupplier floorSetting;
  private final LongSupplier maximumSetting;
  private volatile long floor;
  private volatile long maximum;

  /**
   * @param stock the policy for forced merges and compound files
   * @param field the field with the time
   * @param floor bytes below which segments are merged while a refresh waits
   * @param maximum bytes that a merge may make at most
   */
  TimeTieredMergePolicy(MergePolicy stock, String field, LongSupplier floor, LongSupplier maximum) {
    super(stock);
    this.times = new SegmentTimes(field);
    this.floorSetting = floor;
    this.maximumSetting = maximum;
    readLimits();
  }

  /** Both are dynamic settings of the index. */
  private void readLimits() {
    floor = Math.max(1, floorSetting.getAsLong());
    maximum = Math.max(1, maximumSetting.getAsLong());
  }

  /** A segment as the rule sees it. */
  record Candidate(SegmentCommitInfo info, long bytes, SegmentTimes.Span span, boolean busy) {}

  @Override
  public @Nullable MergeSpecification findMerges(
      MergeTrigger trigger, SegmentInfos infos, MergeContext context) throws IOException {
    readLimits();
    times.keepOnly(infos);
    Set<SegmentCommitInfo> merging = new HashSet<>(context.getMergingSegments());
    MergeSpecification found = new MergeSpecification();
    List<Candidate> window = choose(candidates(infos, merging, context));
    while (window != null) {
      List<SegmentCommitInfo> segments = window.stream().map(Candidate::info).toList();
      found.add(new OneMerge(segments));
      merging.addAll(segments);
      window = choose(candidates(infos, merging, context));
    }
    for (SegmentCommitInfo info : infos) {
      int deleted = context.numDeletesToMerge(info);
      if (!merging.contains(info) && deleted > info.info.maxDoc() * MAX_DELETED) {
        found.add(new OneMerge(List.of(info)));
      }
    }
    return found.merges.isEmpty() ? null : found;
  }

  /** Merges that a refresh may wait for: only small segments. */
  @Override
  public @Nullable MergeSpecification findFullFlushMerges(
      MergeTrigger trigger, SegmentInfos infos, MergeContext context) throws IOException {
    MergeSpecification all = findMerges(trigger, infos, context);
    if (all == null) {
      return null;
    }
    MergeSpecification small = new MergeSpecification();
    for (OneMerge merge : all.merges) {
      boolean every = true;
      for (SegmentCommitInfo info : merge.segments) {
        every &= size(info, context) <= floor;
      }
      if (every) {
        small.add(merge);
      }
    }
    return small.merges.isEmpty() ? null : small;
  }

  private List<Candidate> candidates(
      SegmentInfos infos, Set<SegmentCommitInfo> merging, MergeContext context) throws IOException {
    List<Candidate> candidates = new ArrayList<>();
    for (SegmentCommitInfo info : infos) {
      long bytes = Math.max(1, size(info, context));
      candidates.add(new Candidate(info, bytes, times.of(info), merging.contains(info)));
    }
    candidates.sort(Comparator.comparingLong(each -> each.span().middle()));
    return candidates;
  }

  /** The next window to merge, or null; the candidates are in the order of time. */
  private @Nullable List<Candidate> choose(List<Candidate> candidates) {
    NavigableMap<Integer, List<Candidate>> classes = new TreeMap<>(Comparator.reverseOrder());
    for (Candidate candidate : candidates) {
      if (!candidate.busy() && candidate.bytes() <= maximum / 2) {
        classes
            .computeIfAbsent(sizeClass(candidate.bytes()), key -> new ArrayList<>())
            .add(candidate);
      }
    }
    for (Map.Entry<Integer, List<Candidate>> each : classes.entrySet()) {
      List<Candidate> members = each.getValue();
      List<Candidate> best = List.of();
      double least = Double.MAX_VALUE;
      for (int start = 0; start < members.size(); start++) {
        List<Candidate> window = window(members, start, each.getKey());
        double spanOfByte = window.isEmpty() ? Double.MAX_VALUE : span(window) / bytes(window);
        if (spanOfByte < least) {
          best = window;
          least = spanOfByte;
        }
      }
      if (!best.isEmpty() && (members.size() >= PATIENCE || withoutGaps(best, span(best)))) {
        return best;
      }
    }
    return null;
  }

  /** 0 is the last class; each further one is a tenth. */
  private int sizeClass(long bytes) {
    double limit = (double) maximum / LAST;
    return bytes > limit ? 0 : 1 + (int) Math.floor(Math.log10(limit / bytes));
  }

  private List<Candidate> window(List<Candidate> members, int start, int sizeClass) {
    return sizeClass == 0 ? last(members, start) : window(members, start, upper(sizeClass));
  }

  private double upper(int sizeClass) {
    return (double) maximum / LAST / Math.pow(10, sizeClass - 1);
  }

  /** As many neighbours as are larger together than their class; empty if there are too few. */
  private static List<Candidate> window(List<Candidate> members, int start, double upper) {
    List<Candidate> window = new ArrayList<>();
    long total = 0;
    for (int i = start; i < members.size() && window.size() < MOST; i++) {
      total += members.get(i).bytes();
      window.add(members.get(i));
      // a merge makes a tenth less of small segments
      if (window.size() >= WIDTH && total >= 1.25 * upper) {
        return window;
      }
    }
    return List.of();
  }

  /** Neighbours that fill a segment of the maximum; empty if they do not yet. */
  private List<Candidate> last(List<Candidate> members, int start) {
    List<Candidate> window = new ArrayList<>();
    long total = 0;
    for (int i = start; i < members.size(); i++) {
      total += members.get(i).bytes();
      if (total > maximum) {
        return window;
      }
      window.add(members.get(i));
      if (window.size() == MOST) {
        return window;
      }
    }
    return List.of();
  }

  private static long bytes(List<Candidate> window) {
    return window.stream().mapToLong(Candidate::bytes).sum();
  }

  private static double span(List<Candidate> window) {
    long from = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    for (Candidate each : window) {
      from = Math.min(from, each.span().from());
      to = Math.max(to, each.span().to());
    }
    return (double) to - from;
  }

  /** Whether no time without members is longer than a quarter of what they span together. */
  private static boolean withoutGaps(List<Candidate> window, double span) {
    double widest = 0;
    long until = Long.MAX_VALUE;
    List<SegmentTimes.Span> byStart =
        window.stream()
            .map(Candidate::span)
            .sorted(Comparator.comparingLong(SegmentTimes.Span::from))
            .toList();
    for (SegmentTimes.Span each : byStart) {
      widest = Math.max(widest, (double) each.from() - until);
      until = until == Long.MAX_VALUE ? each.to() : Math.max(until, each.to());
    }
    return widest <= span / 4;
  }

  @Override
  protected long maxFullFlushMergeSize() {
    return floor;
  }
}
