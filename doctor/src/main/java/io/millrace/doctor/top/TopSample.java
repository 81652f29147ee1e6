package io.millrace.doctor.top;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Map;

/**
 * What a cluster said at one time.
 *
 * @param taken by this machine's clock
 * @param nanos the same by a clock that never steps, for rates
 * @param hotThreads the text of {@code _nodes/hot_threads}
 * @param missing why a part has no answer, by part
 */
public record TopSample(
    Instant taken,
    long nanos,
    JsonNode health,
    JsonNode nodes,
    JsonNode indices,
    JsonNode shards,
    JsonNode tasks,
    String hotThreads,
    JsonNode freshness,
    Map<String, String> missing) {}
