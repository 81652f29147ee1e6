package io.millrace.observe.alarms;

import io.millrace.kernel.metric.Tag;
import io.millrace.observe.alarms.TaggedFigures.Figure;
import java.util.Map;

/**
 * What a node counts at one moment. Counters grow since the node's start.
 *
 * @param nanos when, by {@code System.nanoTime}
 * @param fullCollections full collections that nobody asked for
 * @param heapAfterRatio heap after the last collection, 0 to 1 of its limit
 * @param mostLate waiting time of the index that is latest, as a multiple of its promise; 0 for
 *     none
 * @param latestIndex its name; empty for none
 * @param throttledMillis time for which merges held indexing back
 * @param diskFreeRatio free share of the fullest data path; 1 where unknown
 * @param disk which watermark that path is past
 * @param tagged what the features count under each tag
 */
record Reading(
    long nanos,
    long allocationStalls,
    long fullCollections,
    double heapAfterRatio,
    long rejectedWrites,
    long rejectedSearches,
    long breakerTrips,
    double mostLate,
    String latestIndex,
    long throttledMillis,
    double diskFreeRatio,
    Watermark disk,
    Map<Tag, Figure> tagged) {

  /** What is counted under a tag. */
  Figure figure(Tag tag) {
    return tagged.getOrDefault(tag, Figure.NONE);
  }

  /** The disk thresholds of OpenSearch, in rising order. */
  enum Watermark {
    NONE,
    LOW,
    HIGH,
    FLOOD_STAGE
  }
}
