package io.millrace.search.columns;

/** What the values of a column are. */
enum ValueKind {
  /** No shard knows the field: no values. */
  NONE("null"),
  /** Whole numbers of 64 bits. */
  LONG("long"),
  /** Floating-point numbers of 64 bits. */
  DOUBLE("double"),
  /** 0 or 1. */
  BOOLEAN("boolean"),
  /** Milliseconds since 1970, UTC. */
  MILLIS("date"),
  /** Nanoseconds since 1970, UTC. */
  NANOS("date_nanos"),
  /** Strings. */
  TEXT("string");

  private final String shown;

  ValueKind(String shown) {
    this.shown = shown;
  }

  /** Its name in answers. */
  String shown() {
    return shown;
  }

  boolean isDate() {
    return this == MILLIS || this == NANOS;
  }

  /**
   * The kind that holds values of both: where indices map a field differently. Numbers become
   * doubles, and what has nothing in common becomes strings.
   */
  ValueKind with(ValueKind other) {
    if (this == other || other == NONE) {
      return this;
    }
    if (this == NONE) {
      return other;
    }
    boolean numbers = (this == LONG || this == DOUBLE) && (other == LONG || other == DOUBLE);
    return numbers ? DOUBLE : isDate() && other.isDate() ? NANOS : TEXT;
  }
}
