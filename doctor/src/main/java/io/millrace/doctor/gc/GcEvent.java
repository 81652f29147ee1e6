package io.millrace.doctor.gc;

/**
 * One stop of the application, or how full the heap was around a cycle that stops nobody.
 *
 * @param at seconds since the JVM started, or since the first line where the log has no uptime
 * @param kind of it
 * @param cause in the JVM's words, such as {@code G1 Evacuation Pause}; empty when the log names
 *     none
 * @param millis how long it took, as the log says
 * @param before bytes of the heap in use before; -1 when the line does not say
 * @param after bytes in use after; -1 likewise
 * @param heap committed bytes; -1 likewise
 */
public record GcEvent(
    double at, Kind kind, String cause, double millis, long before, long after, long heap) {
  /** What stops the application. */
  public enum Kind {
    YOUNG,
    MIXED,
    FULL,
    /** Short steps of concurrent cycles: remark, cleanup, initial mark, ZGC's and Shenandoah's. */
    PHASE,
    /** Shenandoah's fall back to a stop of the world. */
    DEGENERATED,
    /** One thread waits for memory (ZGC); the others run. */
    STALL,
    /** A whole cycle of ZGC, which runs beside the application; it has no length here. */
    CYCLE;

    /** Whether every thread stands still. */
    public boolean stops() {
      return this != STALL && this != CYCLE;
    }
  }
}
