package io.millrace.pipelines.spanfilter;

import java.util.List;
import java.util.Set;
import org.opensearch.common.regex.Regex;

/**
 * Which spans go. A span is meant when its component, its layer or its name is listed; it goes when
 * it was also quick enough, had no error, and its trace is none of those that are kept whole.
 *
 * @param components ids as in SkyWalking's component-libraries.yml
 * @param layers numbers of SkyWalking's span layers
 * @param names patterns of operation names, with {@code *}
 * @param belowMillis spans that took this long or longer stay; {@link Long#MAX_VALUE} for no bound
 * @param keepOneOf one of so many traces keeps every span; 0 for none
 */
record SpanRule(
    Set<Integer> components,
    Set<Integer> layers,
    List<String> names,
    long belowMillis,
    int keepOneOf) {

  /** SkyWalking's names of span layers, in the order of their numbers. */
  static final List<String> LAYERS =
      List.of("unknown", "database", "rpc_framework", "http", "mq", "cache", "faas", "gen_ai");

  boolean means(int component, int layer, String name) {
    return components.contains(component)
        || layers.contains(layer)
        || names.stream().anyMatch(pattern -> Regex.simpleMatch(pattern, name));
  }

  /** Whether the trace is one of the sample that stays whole: the same on every node. */
  boolean keeps(String traceId) {
    return keepOneOf > 0 && Math.floorMod(traceId.hashCode(), keepOneOf) == 0;
  }
}
