package io.millrace.guard.lanes;

/**
 * Where a search runs, by what searches of its shape used before and by what it has used itself.
 */
enum Lane {
  /** Used little so far: starts at once. */
  LIGHT,
  /** Nobody knows: a bounded number at once, until each has shown what it uses. */
  UNKNOWN,
  /** Used much: a few at once, in a line that is fair between clients. */
  HEAVY
}
