package io.millrace.doctor.gc;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lines of JDK 8's {@code -Xloggc}, with or without {@code -XX:+PrintGCDetails} and its stamps. One
 * collection may span lines, and CMS's concurrent phases may stand in the middle of one.
 */
final class Legacy {
  private static final String SIZE = "(\\d{1,15}(?:[.,]\\d{1,9})?[BKMG])";
  private static final Pattern BEGIN =
      Pattern.compile("^\\[(?:GC|Full GC)(?: pause)?(?: remark| cleanup)?\\b.*|^\\[GC--.*");
  private static final Pattern SECS = Pattern.compile("(\\d{1,9}[.,]\\d{1,12}) secs\\]");
  private static final Pattern HEAP = Pattern.compile(SIZE + "->" + SIZE + "\\(" + SIZE + "\\)");
  private static final Pattern PART =
      Pattern.compile(
          "\\[(ParNew|PSYoungGen|DefNew|CMS|ParOldGen|PSOldGen|Tenured|Metaspace|CMS Perm|PSPermGen)[^:\\[]*: "
              + SIZE
              + "->"
              + SIZE
              + "\\("
              + SIZE
              + "\\)");
  private static final Pattern MARK =
      Pattern.compile(
          "\\[1 CMS-(initial-mark|remark): "
              + SIZE
              + "\\("
              + SIZE
              + "\\)\\] "
              + SIZE
              + "\\("
              + SIZE
              + "\\)");
  private static final Pattern G1_HEAP =
      Pattern.compile("Heap: " + SIZE + "\\(" + SIZE + "\\)->" + SIZE + "\\(" + SIZE + "\\)");
  private static final Pattern G1_EDEN = Pattern.compile("Eden: " + SIZE + "\\(" + SIZE + "\\)->");
  private static final Pattern CAUSE = Pattern.compile("\\(([^()]+(?:\\(\\))?)\\)");

  /**
   * Threads of CMS and G1 write without a lock: a collection may stand behind a concurrent phase,
   * and behind the stamps of both.
   */
  private static final Pattern STAMPS =
      Pattern.compile("^\\d[\\dT.,:+\\s-]*(?=\\[(?:Full )?GC\\b)");

  private static final Pattern OLD_PART =
      Pattern.compile("\\[(?:CMS|Tenured)\\b(?! Perm)[^:\\[]*: \\d");

  /** What further flags print in the middle of a collection: sizes that are none of the heap's. */
  private static final Pattern ASIDE =
      Pattern.compile("^\\s*(?:Desired survivor |- age |(?:\\d+[.,]\\d+: )?\\[G1Ergonomics ).*");

  private static final Pattern COLLECTOR =
      Pattern.compile("-XX:\\+Use(ConcMarkSweep|G1|Parallel|Serial)GC");
  private static final Pattern FLAG_YOUNG = Pattern.compile("^CommandLine flags: .*");

  /** Processor times, behind a collection and behind a concurrent phase in the middle of one. */
  private static final Pattern TIMES = Pattern.compile("\\[Times: [^\\]]*\\]");

  /**
   * A phase that runs beside the application; no pause, though some end with a time as one does.
   */
  private static final Pattern CONCURRENT =
      Pattern.compile(
          "(?:\\d{4}-\\d\\d-\\d\\dT[\\d:.,]+[+-]\\d{4}: )?(?:\\d{1,12}[.,]\\d{1,9}: )?\\[(CMS|GC )-?concurrent-[^\\]]*\\]");

  /** Characters of a collection whose end is still awaited: a log may be cut in the middle. */
  private static final int MOST_OPEN = 10_000;

  private @Nullable StringBuilder open;
  private double openAt;

  /** Whether the line said something. */
  boolean take(String text, double at, Tally tally) {
    if (FLAG_YOUNG.matcher(text).matches()) {
      flags(text, tally);
      return true;
    }
    if (text.contains("concurrent mode failure") || text.contains("promotion failed")) {
      tally.failed();
    }
    if (ASIDE.matcher(text).matches()) {
      return false;
    }
    Matcher concurrent = CONCURRENT.matcher(TIMES.matcher(text).replaceAll(""));
    boolean beside = concurrent.lookingAt();
    if (beside) {
      tally.collector(concurrent.group(1).equals("CMS") ? "CMS" : "G1");
    }
    String bare = STAMPS.matcher(concurrent.replaceAll("")).replaceFirst("");
    if (beside && bare.isBlank()) {
      return true;
    }
    if (BEGIN.matcher(bare).matches()) {
      open = null;
      return collection(bare, at, tally);
    }
    StringBuilder begun = open;
    if (begun != null && begun.length() < MOST_OPEN) {
      begun.append(' ').append(bare);
      if (closed(begun)) {
        open = null;
        return collection(begun.toString(), openAt, tally);
      }
      return true;
    }
    return detail(bare, tally);
  }

  /** Whether as many brackets close as open. */
  private static boolean closed(CharSequence text) {
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      depth += text.charAt(i) == '[' ? 1 : text.charAt(i) == ']' ? -1 : 0;
    }
    return depth <= 0;
  }

  private boolean collection(String text, double at, Tally tally) {
    boolean g1 = text.startsWith("[GC pause");
    Matcher secs = SECS.matcher(text);
    double seconds = -1;
    while (secs.find()) {
      seconds = Line.number(secs.group(1)); // the last one is the whole collection's
    }
    if (seconds < 0 || !closed(text)) {
      open = new StringBuilder(text);
      openAt = at;
      return true;
    }
    if (text.contains("to-space exhausted") || text.contains("to-space overflow")) {
      tally.exhausted();
    }
    String cause = cause(text);
    if (g1) {
      tally.collector("G1");
      GcEvent.Kind kind = text.contains("(mixed)") ? GcEvent.Kind.MIXED : GcEvent.Kind.YOUNG;
      Matcher heap = HEAP.matcher(text);
      tally.add(
          heap.find() // without PrintGCDetails
              ? new GcEvent(
                  at,
                  kind,
                  cause,
                  seconds * 1_000,
                  Line.bytes(heap.group(1)),
                  Line.bytes(heap.group(2)),
                  Line.bytes(heap.group(3)))
              : new GcEvent(at, kind, cause, seconds * 1_000, -1, -1, -1));
      return true;
    }
    long youngFreed = parts(text, tally);
    String whole = PART.matcher(text).replaceAll("");
    Matcher heap = HEAP.matcher(whole);
    long before = -1;
    long after = -1;
    long size = -1;
    while (heap.find()) {
      before = Line.bytes(heap.group(1));
      after = Line.bytes(heap.group(2));
      size = Line.bytes(heap.group(3));
    }
    GcEvent.Kind kind = kind(text);
    Matcher mark = MARK.matcher(text);
    if (mark.find()) {
      tally.collector("CMS");
      tally.old(Line.bytes(mark.group(3)));
    } else if (kind == GcEvent.Kind.YOUNG && youngFreed >= 0 && before >= 0) {
      tally.promoted(youngFreed - (before - after));
    }
    if (text.contains("remark") || text.contains("cleanup")) {
      before = text.contains("cleanup") ? before : -1;
    }
    tally.add(
        new GcEvent(
            at,
            kind,
            cause,
            seconds * 1_000,
            before,
            before < 0 ? -1 : after,
            before < 0 ? -1 : size));
    return true;
  }

  private static GcEvent.Kind kind(String text) {
    // a young collection of CMS or Serial that turned into a full one keeps its name
    if (text.startsWith("[Full GC") || OLD_PART.matcher(text).find()) {
      return GcEvent.Kind.FULL;
    }
    boolean phase =
        text.contains("CMS-initial-mark")
            || text.contains("CMS-remark")
            || text.contains("(CMS Initial Mark)")
            || text.contains("(CMS Final Remark)")
            || text.startsWith("[GC remark")
            || text.startsWith("[GC cleanup");
    return phase ? GcEvent.Kind.PHASE : GcEvent.Kind.YOUNG;
  }

  /** Sizes of the generations; what the young one freed, or -1 when it is not named. */
  private static long parts(String text, Tally tally) {
    long freed = -1;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      long size = Line.bytes(part.group(4));
      switch (part.group(1)) {
        case "ParNew", "PSYoungGen", "DefNew" -> {
          freed = Line.bytes(part.group(2)) - Line.bytes(part.group(3));
          tally.young(size);
          tally.collector(
              part.group(1).equals("ParNew")
                  ? "CMS"
                  : part.group(1).equals("DefNew") ? "Serial" : "Parallel");
        }
        case "CMS", "ParOldGen", "PSOldGen", "Tenured" -> tally.old(size);
        default -> {}
      }
    }
    return freed;
  }

  private static String cause(String text) {
    Matcher cause = CAUSE.matcher(text);
    return cause.find() && cause.start() < 20 ? cause.group(1) : "";
  }

  /** Lines below a G1 pause say how much was in use. */
  private static boolean detail(String text, Tally tally) {
    Matcher heap = G1_HEAP.matcher(text);
    Matcher eden = G1_EDEN.matcher(text);
    boolean said = false;
    if (eden.find()) {
      tally.young(Line.bytes(eden.group(2)));
      said = true;
    }
    GcEvent last = tally.last();
    if (heap.find() && last != null) {
      tally.replaceLast(
          new GcEvent(
              last.at(),
              last.kind(),
              last.cause(),
              last.millis(),
              Line.bytes(heap.group(1)),
              Line.bytes(heap.group(3)),
              Line.bytes(heap.group(4))));
      said = true;
    }
    return said;
  }

  private static void flags(String text, Tally tally) {
    Matcher max = Pattern.compile("-XX:MaxHeapSize=(\\d+)").matcher(text);
    if (max.find()) {
      tally.heap(Long.parseLong(max.group(1)));
    }
    Matcher use = COLLECTOR.matcher(text);
    if (use.find()) {
      tally.collector(use.group(1).equals("ConcMarkSweep") ? "CMS" : use.group(1));
    }
  }
}
