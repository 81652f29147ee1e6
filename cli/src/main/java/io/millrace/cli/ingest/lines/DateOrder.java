package io.millrace.cli.ingest.lines;

/** In which order a date of three numbers is written; {@code 05/06/07} is three dates. */
public enum DateOrder {
  /** Nothing is known: the custom of the separator, and what the numbers rule out. */
  CUSTOM,
  YEAR_MONTH_DAY,
  DAY_MONTH_YEAR,
  MONTH_DAY_YEAR
}
