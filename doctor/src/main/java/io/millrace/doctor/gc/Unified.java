package io.millrace.doctor.gc;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lines of {@code -Xlog:gc*} (JEP 158, JEP 271). A pause is a line that begins with {@code Pause}
 * and ends with a time; its twin at the beginning of the pause has none.
 */
final class Unified {
  private static final Pattern PAUSE =
      Pattern.compile(
          "^(?:GC\\((\\d+)\\) )?(?:([YyO]): )?Pause (.+?)(?: (\\d+[KMG])->(\\d+[KMG])\\((\\d+[KMG])\\))? (\\d+[.,]\\d+)ms$");
  private static final Pattern STALL =
      Pattern.compile("^(?:GC\\(\\d+\\) )?Allocation Stall \\((.*)\\) (\\d+[.,]\\d+)ms$");
  private static final Pattern CYCLE =
      Pattern.compile(
          "^GC\\(\\d+\\) (?:Garbage Collection|Minor Collection|Major Collection) \\((.*?)\\) (\\d+[KMG])\\(\\d+%\\)->(\\d+[KMG])\\(\\d+%\\).*$");
  private static final Pattern GENERATION =
      Pattern.compile(
          "^GC\\(\\d+\\) (PSYoungGen|DefNew|ParNew|ParOldGen|PSOldGen|Tenured|CMS): (\\d+K)(?:\\(\\d+K\\))?->(\\d+K)\\((\\d+K)\\).*$");
  private static final Pattern OLD_REGIONS =
      Pattern.compile("^GC\\(\\d+\\) Old regions: (\\d+)->(\\d+).*$");
  private static final Pattern EDEN =
      Pattern.compile("^GC\\(\\d+\\) Eden regions: (\\d+)->\\d+\\((\\d+)\\).*$");
  private static final Pattern REGION = Pattern.compile("^Heap [Rr]egion [Ss]ize: (\\d+[KMG])$");
  private static final Pattern HEAP_MAX =
      Pattern.compile("^(?:Heap Max Capacity|Max Capacity): (\\d+[KMG]).*$");
  private static final Pattern USING =
      Pattern.compile(
          "^Using (G1|Parallel|Serial|Concurrent Mark Sweep|The Z Garbage Collector|Shenandoah)\\b.*$");
  private static final Pattern INITIALIZING =
      Pattern.compile("^Initializing The Z Garbage Collector.*$");
  private static final Pattern CAUSE = Pattern.compile("\\(([^()]+(?:\\(\\))?)\\)$");

  private long region = -1;
  private long youngFreed;
  private long lastId = -1;

  /** Whether the line said something. */
  boolean take(String text, double at, Tally tally) {
    Matcher m = PAUSE.matcher(text);
    if (m.matches()) {
      pause(m, at, tally);
      return true;
    }
    m = STALL.matcher(text);
    if (m.matches()) {
      tally.collector("ZGC");
      tally.add(
          new GcEvent(
              at, GcEvent.Kind.STALL, "thread " + m.group(1), Line.number(m.group(2)), -1, -1, -1));
      return true;
    }
    return cycle(text, at, tally) || generations(text, tally) || machine(text, tally);
  }

  private void pause(Matcher m, double at, Tally tally) {
    String name = m.group(3);
    Matcher inBrackets = CAUSE.matcher(name);
    String cause = inBrackets.find() ? inBrackets.group(1) : "";
    long before = m.group(4) == null ? -1 : Line.bytes(m.group(4));
    long after = m.group(5) == null ? -1 : Line.bytes(m.group(5));
    long heap = m.group(6) == null ? -1 : Line.bytes(m.group(6));
    GcEvent.Kind kind = kind(name);
    if (name.contains("Evacuation Failure") || name.contains("To-space exhausted")) {
      tally.exhausted();
    }
    if (kind == GcEvent.Kind.YOUNG && before >= 0 && youngFreed > 0) {
      tally.promoted(youngFreed - (before - after));
    }
    youngFreed = 0;
    collector(name, m.group(2), tally);
    double millis = Line.number(m.group(7));
    long id = m.group(1) == null ? -1 : Long.parseLong(m.group(1));
    GcEvent last = tally.last();
    boolean next = id >= 0 && id == lastId - 1;
    lastId = id;
    if (next
        && kind == GcEvent.Kind.YOUNG
        && last != null
        && last.kind() == GcEvent.Kind.FULL
        && last.after() == after
        && last.millis() <= millis) {
      // Serial before JDK 21: the line of the young one holds the full one that it turned into
      tally.add(new GcEvent(at, kind, cause, millis - last.millis(), -1, -1, heap));
      return;
    }
    tally.add(new GcEvent(at, kind, cause, millis, before, after, heap));
  }

  private static GcEvent.Kind kind(String name) {
    if (name.startsWith("Full")) {
      return GcEvent.Kind.FULL;
    }
    if (name.startsWith("Degenerated")) {
      return GcEvent.Kind.DEGENERATED;
    }
    if (name.startsWith("Young (Mixed)") || name.startsWith("Mixed")) {
      return GcEvent.Kind.MIXED;
    }
    return name.startsWith("Young") ? GcEvent.Kind.YOUNG : GcEvent.Kind.PHASE;
  }

  private static void collector(String name, @Nullable String generation, Tally tally) {
    if (generation != null
        || name.startsWith("Mark Start")
        || name.startsWith("Mark End")
        || name.startsWith("Relocate Start")) {
      tally.collector("ZGC");
    } else if (name.startsWith("Initial Mark")) {
      tally.collector("CMS");
    } else if (name.startsWith("Init")
        || name.startsWith("Final")
        || name.startsWith("Degenerated")) {
      tally.collector("Shenandoah");
    } else if (name.contains("G1")
        || name.startsWith("Remark") && name.length() == 6
        || name.startsWith("Cleanup")) {
      tally.collector("G1");
    }
  }

  /** ZGC says how full the heap was around a cycle that hardly stops anybody. */
  private static boolean cycle(String text, double at, Tally tally) {
    Matcher m = CYCLE.matcher(text);
    if (!m.matches()) {
      return false;
    }
    tally.collector("ZGC");
    tally.add(
        new GcEvent(
            at,
            GcEvent.Kind.CYCLE,
            m.group(1),
            0,
            Line.bytes(m.group(2)),
            Line.bytes(m.group(3)),
            -1));
    return true;
  }

  private boolean generations(String text, Tally tally) {
    Matcher m = GENERATION.matcher(text);
    if (m.matches()) {
      boolean young = m.group(1).matches("PSYoungGen|DefNew|ParNew");
      long size = Line.bytes(m.group(4));
      if (young) {
        youngFreed = Line.bytes(m.group(2)) - Line.bytes(m.group(3));
        tally.young(size);
      } else {
        tally.old(size);
      }
      tally.collector(
          switch (m.group(1)) {
            case "PSYoungGen", "ParOldGen", "PSOldGen" -> "Parallel";
            case "ParNew", "CMS" -> "CMS";
            default -> "Serial";
          });
      return true;
    }
    m = OLD_REGIONS.matcher(text);
    if (m.matches()) {
      long grown = Long.parseLong(m.group(2)) - Long.parseLong(m.group(1));
      if (region > 0) {
        tally.promoted(grown * region);
      }
      return true;
    }
    m = EDEN.matcher(text);
    if (m.matches() && region > 0) {
      tally.young(Long.parseLong(m.group(1)) * region);
      return true;
    }
    return false;
  }

  private boolean machine(String text, Tally tally) {
    Matcher m = REGION.matcher(text);
    if (m.matches()) {
      region = Line.bytes(m.group(1));
      return true;
    }
    m = HEAP_MAX.matcher(text);
    if (m.matches()) {
      tally.heap(Line.bytes(m.group(1)));
      return true;
    }
    m = USING.matcher(text);
    if (m.matches()) {
      String name = m.group(1);
      tally.collector(
          name.startsWith("The Z") ? "ZGC" : name.startsWith("Concurrent") ? "CMS" : name);
      return true;
    }
    if (INITIALIZING.matcher(text).matches()) {
      tally.collector("ZGC");
      return true;
    }
    if (text.contains("To-space exhausted")) {
      tally.exhausted();
      return true;
    }
    return false;
  }
}
