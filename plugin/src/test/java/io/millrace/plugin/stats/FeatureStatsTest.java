package io.millrace.plugin.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.metric.Metric.Kind;
import io.millrace.kernel.metric.Metric.Merge;
import io.millrace.kernel.metric.Metric.Sample;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opensearch.Version;
import org.opensearch.action.FailedNodeException;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.common.transport.TransportAddress;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;

/** Figures of several nodes made one, mixed clusters, and the wire form. */
class FeatureStatsTest {
  private static final Build HERE = new Build("3.8.0.1", "3.8.0");

  private static MetricReport metric(Merge merge, Sample... samples) {
    return new MetricReport("m", Kind.GAUGE, "bytes", "A metric", merge, List.of(samples));
  }

  private static Sample sample(String index, double value) {
    return new Sample(index.isEmpty() ? Map.of() : Map.of("index", index), value);
  }

  private static DiscoveryNode node(String id) {
    return new DiscoveryNode(
        id,
        id,
        new TransportAddress(InetAddress.getLoopbackAddress(), 9300),
        Map.of(),
        java.util.Set.of(),
        Version.CURRENT);
  }

  private static NodeFeatures node(String id, String version, String... features) {
    List<FeatureReport> reports =
        java.util.Arrays.stream(features)
            .map(f -> new FeatureReport(f, "s", true, List.of(metric(Merge.SUM, sample("", 2)))))
            .toList();
    return new NodeFeatures(node(id), version, reports);
  }

  @Test
  void sumsAndPeaksPerLabel() {
    MetricReport sum =
        metric(Merge.SUM, sample("a", 1), sample("b", 5)).merge(metric(Merge.SUM, sample("a", 2)));
    assertEquals(List.of(sample("a", 3), sample("b", 5)), sum.samples());
    MetricReport peak = metric(Merge.MAX, sample("", 7)).merge(metric(Merge.MAX, sample("", 3)));
    assertEquals(List.of(sample("", 7)), peak.samples());
  }

  @Test
  void countersAreWholeNumbersInJson() throws IOException {
    try (XContentBuilder json = XContentFactory.jsonBuilder().startObject()) {
      metric(Merge.SUM, sample("", 1L << 50)).toXContent(json, ToXContent.EMPTY_PARAMS);
      assertEquals(
          "{\"m\":{\"unit\":\"bytes\",\"kind\":\"gauge\",\"value\":1125899906842624}}",
          json.endObject().toString());
    }
  }

  @Test
  void saysWhatMustNotBeAdded() throws IOException {
    try (XContentBuilder json = XContentFactory.jsonBuilder().startObject()) {
      metric(Merge.MAX, sample("", 7)).toXContent(json, ToXContent.EMPTY_PARAMS);
      assertEquals(
          "{\"m\":{\"unit\":\"bytes\",\"kind\":\"gauge\",\"merge\":\"max\",\"value\":7}}",
          json.endObject().toString());
    }
  }

  @Test
  void saysWhatIsMissingWhere() {
    ClusterFeatures mixed =
        new ClusterFeatures(
            "c",
            List.of(node("n1", "3.8.0.1", "a.x", "a.y"), node("n2", "3.8.0.0", "a.x")),
            List.of(node("n3")),
            List.of(new FailedNodeException("n4", "gone", new IOException("closed"))));
    List<String> warnings = mixed.warnings(HERE);
    assertEquals(4, warnings.size(), warnings.toString());
    assertTrue(warnings.get(0).contains("not installed on node [n3]"), warnings.get(0));
    assertTrue(warnings.get(0).contains("millrace-3.8.0.1.zip"), warnings.get(0));
    assertTrue(warnings.get(1).contains("[n2] runs plugin [millrace] 3.8.0.0"), warnings.get(1));
    assertTrue(warnings.get(2).contains("[n2] lacks the features [a.y]"), warnings.get(2));
    assertTrue(warnings.get(3).contains("[n4] did not answer"), warnings.get(3));
    FeatureReport x = mixed.merged().get("a.x");
    assertEquals(4, x == null ? 0 : x.metrics().getFirst().samples().getFirst().value());
  }

  @Test
  void travelsByNameSoThatAnUnknownFeatureIsShown() {
    FeatureReport sent =
        new FeatureReport(
            "unknown.here",
            "s",
            true,
            List.of(metric(Merge.MAX, sample("a", 2), sample("b", 3.5))));
    assertEquals(sent, FeatureReport.of("unknown.here", new ReportMap(sent.toMap())));
  }

  @Test
  void whatANodeOfAnotherVersionLeavesOutReadsAsEmpty() {
    ReportMap strange =
        new ReportMap(Map.of("on", true, "metrics", Map.of("m", Map.of("kind", "histogram"))));
    FeatureReport read = FeatureReport.of("a.x", strange);
    assertEquals("", read.summary());
    assertTrue(read.on());
    assertEquals(
        List.of(new MetricReport("m", Kind.GAUGE, "", "", Merge.SUM, List.of())), read.metrics());
  }
}
