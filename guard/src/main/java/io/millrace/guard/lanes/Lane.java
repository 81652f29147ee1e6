package io.millrace.guard.lanes;

/**
 * Where a search runs, by what searches of its shape used before and by what it has used itself;
 * what uses more stands later.
 */
enum Lane {
  /** Used little so far: starts at once. */
  LIGHT,
  /** Nobody knows: a bounded number at once, until each has shown what it uses. */
  UNKNOWN,
  /** Used something: as many at once as stock has threads for all searches. */
  MEDIUM,
  /** Used much: a few at once, in a line that is fair between clients. */
  HEAVY
}
