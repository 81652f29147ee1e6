package io.millrace.bench.peers;

import io.millrace.bench.peers.PeerSearch.Kind;
import java.util.List;
import java.util.Map;

/**
 * What one side showed in one round.
 *
 * @param version what ran
 * @param documents how many
 * @param loadMicros CPU of a document, from the first one until the side is quiet, microseconds
 * @param compilerMicros of these the JVM's compilers
 * @param mergeMicros CPU of a document of the merge that was asked for
 * @param bytes on disk of a document after that merge
 * @param loadSeconds wall time of the load
 * @param peakMebibytes the most memory that was resident
 * @param searchMicros CPU of a search without the JVM's compilers, microseconds
 * @param answers by kind, in the order of the searches
 */
record PeerFigures(
    String version,
    long documents,
    double loadMicros,
    double compilerMicros,
    double mergeMicros,
    double bytes,
    double loadSeconds,
    double peakMebibytes,
    Map<Kind, Double> searchMicros,
    Map<Kind, List<Found>> answers) {

  /** An answer, and how many documents match in all. */
  record Found(PeerAnswer answer, long hits) {}
}
