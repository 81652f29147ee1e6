package io.millrace.cli.ingest.lines;

import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How lines are read.
 *
 * @param zone zone of times that name none
 * @param formats the formats to choose from, the user's first
 * @param forced whether the user named them
 * @param times layouts of times that the user named; none: the grammar reads
 * @param timeField name of the column, key or member that holds the time; null: it is looked for
 */
public record LineOptions(
    ZoneId zone,
    List<FormatDefinition> formats,
    boolean forced,
    TimeFormats times,
    @Nullable String timeField) {

  /** The grammar and the general rules only. */
  public static LineOptions inZone(ZoneId zone) {
    return new LineOptions(zone, List.of(), false, new TimeFormats(List.of(), zone), null);
  }
}
