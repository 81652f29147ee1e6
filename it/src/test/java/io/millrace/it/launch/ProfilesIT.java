package io.millrace.it.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Every profile starts on the JDK at hand, and the JVM runs with the flags that the profile says;
 * three nodes of three profiles form one cluster.
 */
class ProfilesIT {
  private static final List<String> PROFILES = List.of("logs", "traces", "search");
  private static final Map<String, List<String>> FLAGS =
      Map.of(
          "logs", List.of("-XX:+UseG1GC", "-XX:G1NewSizePercent=40"),
          "traces", List.of("-XX:+UseG1GC", "-XX:G1NewSizePercent=40"),
          "search", List.of("-XX:+UseZGC", "-XX:+UseDynamicNumberOfGCThreads"));

  @Test
  void everyProfileStarts() {
    Cluster.Builder plan = Cluster.of(Tree.MILLRACE, PROFILES.size());
    for (int node = 0; node < PROFILES.size(); node++) {
      plan.profile(node, PROFILES.get(node));
    }
    try (Cluster cluster = plan.start()) {
      JsonNode nodes = cluster.http().get("/_nodes/jvm").ok().json().path("nodes");
      Set<String> seen = new HashSet<>();
      for (JsonNode node : nodes) {
        int index = Integer.parseInt(node.path("name").asText().substring("node-".length()));
        String profile = PROFILES.get(index);
        seen.add(profile);
        Set<String> flags = new HashSet<>();
        node.path("jvm").path("input_arguments").forEach(flag -> flags.add(flag.asText()));
        for (String flag : FLAGS.get(profile)) {
          assertTrue(flags.contains(flag), profile + " runs without " + flag + ": " + flags);
        }
        // a script that runs out of memory fails alone
        assertFalse(flags.contains("-XX:+ExitOnOutOfMemoryError"), profile + ": " + flags);
        assertTrue(
            flags.contains("-Xms512m") && flags.contains("-Xmx512m"), profile + ": " + flags);
        assertTrue(
            flags.stream().anyMatch(flag -> flag.startsWith("-Xlog:gc*")), profile + ": " + flags);
        String collectors = node.path("jvm").path("gc_collectors").toString();
        assertEquals(profile.equals("search"), collectors.contains("ZGC"), collectors);
      }
      assertEquals(Set.copyOf(PROFILES), seen);
    }
  }
}
