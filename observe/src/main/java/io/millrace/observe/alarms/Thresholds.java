package io.millrace.observe.alarms;

/**
 * From where on an alarm fires; 0 switches that alarm off.
 *
 * @param allocationStalls stalls in a minute
 * @param fullCollections full collections in a minute
 * @param heapPercent heap after collection, percent of its limit
 * @param heapForNanos for how long
 * @param rejectedWrites refused writes in a minute
 * @param rejectedSearches refused searches in a minute
 * @param breakerTrips refused requests in a minute
 * @param refreshLag waiting time as a multiple of the promise
 * @param throttledMillis milliseconds in a minute for which merges hold indexing back
 * @param uploadsWaitMillis how long a body may wait for memory
 * @param slowUploads uploads refused or closed in a minute
 * @param slowReaders readers closed in a minute
 * @param requestsStopped requests that the guards stopped in a minute
 */
record Thresholds(
    long allocationStalls,
    long fullCollections,
    int heapPercent,
    long heapForNanos,
    long rejectedWrites,
    long rejectedSearches,
    long breakerTrips,
    double refreshLag,
    long throttledMillis,
    long uploadsWaitMillis,
    long slowUploads,
    long slowReaders,
    long requestsStopped) {}
