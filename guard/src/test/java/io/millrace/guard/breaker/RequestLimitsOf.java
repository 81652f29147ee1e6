package io.millrace.guard.breaker;

import io.millrace.kernel.settings.Knob;
import java.util.stream.Collectors;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;

/** Limits as a node with these settings has them. */
final class RequestLimitsOf {
  private RequestLimitsOf() {}

  /** Stops one request above so many bytes and nothing for the state of the heap. */
  static RequestLimits request(long bytes) {
    return of(bytes, Long.MAX_VALUE);
  }

  /** Stops one request above so many bytes, and the largest while so many outlived. */
  static RequestLimits of(long bytes, long shedAbove) {
    RequestLimits limits = new RequestLimits();
    Settings node =
        Settings.builder()
            .put(limits.requestKey(), bytes + "b")
            .put("millrace.guard.request_breaker.spare_below", "0b")
            .put(limits.shedKey(), shedAbove + "b")
            .build();
    ClusterSettings updates =
        new ClusterSettings(
            node, limits.knobs().stream().map(Knob::setting).collect(Collectors.toSet()));
    limits.knobs().forEach(knob -> knob.bind(node, updates));
    return limits;
  }
}
