package io.millrace.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Tag;
import io.millrace.kernel.settings.Knob;
import io.millrace.plugin.sources.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What every feature owes: a name, a switch, sources, a page, and names that nobody else uses. */
class FeaturesTest {
  /** Switches whose name a seed gives: kept verbatim. */
  private static final Map<String, String> SWITCHES_OF_SEEDS =
      Map.of("storage.off-heap-cache", "indices.segment_memory.off_heap.enable");

  /**
   * Switches of the whole node, read once at its start: what keeps strangers out is not switched
   * off by a request.
   */
  private static final Map<String, String> STATIC_SWITCHES =
      Map.of(
          "access.control", "millrace.access.enabled", "access.tls", "millrace.access.tls.enabled");

  static Stream<Feature> features() {
    return Features.all().stream();
  }

  @ParameterizedTest
  @MethodSource("features")
  void hasNameSummaryAndSources(Feature feature) {
    assertTrue(feature.id().matches("[a-z]+\\.[a-z0-9]+(-[a-z0-9]+)*"), feature.id());
    assertFalse(feature.summary().isBlank());
    assertFalse(feature.summary().endsWith("."), "a summary has no full stop");
    assertFalse(feature.sources().isEmpty(), "which promise does it keep?");
    String domain = feature.id().substring(0, feature.id().indexOf('.'));
    assertTrue(
        feature.getClass().getPackageName().startsWith("io.millrace." + domain + "."),
        feature.getClass().getName());
    assertEquals(
        1, Features.all().stream().filter(other -> other.id().equals(feature.id())).count());
  }

  @ParameterizedTest
  @MethodSource("features")
  void hasADynamicSwitch(Feature feature) {
    String ofTheNode = STATIC_SWITCHES.get(feature.id());
    if (ofTheNode != null) {
      assertEquals(ofTheNode, feature.enabled().setting().getKey());
      assertFalse(feature.enabled().setting().isDynamic(), ofTheNode);
      return;
    }
    assertEquals(
        SWITCHES_OF_SEEDS.getOrDefault(feature.id(), feature.prefix() + ".enabled"),
        feature.enabled().setting().getKey());
    assertTrue(feature.enabled().setting().isDynamic());
  }

  @ParameterizedTest
  @MethodSource("features")
  void hasAPage(Feature feature) {
    String id = feature.id();
    Path page =
        Repository.root()
            .resolve(id.substring(0, id.indexOf('.')))
            .resolve("docs")
            .resolve(id.substring(id.indexOf('.') + 1) + ".md");
    assertTrue(Files.exists(page), "missing " + page);
  }

  /** The one place per feature where every default is stated: defaults.txt beside its tests. */
  @ParameterizedTest
  @MethodSource("features")
  void statesEveryDefault(Feature feature) throws IOException {
    String domain = feature.id().substring(0, feature.id().indexOf('.'));
    stated(domain, feature.getClass(), feature.settings().toList());
  }

  @Test
  void theKernelStatesItsDefaults() throws IOException {
    stated("kernel", FeaturePlugin.class, FeaturePlugin.kernelKnobs());
  }

  private static void stated(String module, Class<?> owner, List<Knob<?>> knobs)
      throws IOException {
    Path stated =
        Repository.root()
            .resolve(module)
            .resolve("src/test/resources")
            .resolve(owner.getPackageName().replace('.', '/'))
            .resolve("defaults.txt");
    assertTrue(
        Files.exists(stated),
        stated + " is missing: a line [key = default | scope] for each setting");
    assertEquals(
        knobs.stream().map(FeaturesTest::line).collect(Collectors.joining("\n")),
        Repository.read(stated).strip());
  }

  private static String line(Knob<?> knob) {
    SettingFacts facts = SettingFacts.of(knob.setting());
    return (knob.key() + " = " + facts.byDefault()).strip() + " | " + facts.scope();
  }

  /** A knob made anew at each call would be bound and never read. */
  @ParameterizedTest
  @MethodSource("features")
  void knobsOfTheNodeAreTheSameAtEveryCall(Feature feature) {
    List<Knob<?>> again = feature.knobs();
    for (int i = 0; i < again.size(); i++) {
      if (again.get(i).setting().hasNodeScope()) {
        assertSame(again.get(i), feature.knobs().get(i), again.get(i).key());
      }
    }
    assertSame(feature.enabled(), feature.enabled());
  }

  @ParameterizedTest
  @MethodSource("features")
  void documentsSettingsAndMetrics(Feature feature) {
    for (Knob<?> knob : feature.knobs()) {
      assertFalse(knob.doc().isBlank(), knob.setting().getKey());
      long registered =
          Features.all().stream()
              .flatMap(other -> other.knobs().stream())
              .filter(other -> other.setting().getKey().equals(knob.setting().getKey()))
              .count();
      assertEquals(1, registered, knob.setting().getKey());
    }
    Set<String> names = new HashSet<>();
    for (Metric metric : feature.metrics()) {
      assertTrue(metric.name().matches("[a-z0-9]+(_[a-z0-9]+)*"), metric.name());
      assertFalse(metric.unit().isBlank());
      assertFalse(metric.doc().isBlank());
      assertTrue(names.add(metric.name()), "twice: " + metric.name());
      metric.samples().get(); // readable before the feature starts
    }
  }

  /** A tag that no metric carries would make its alarm silent. */
  @ParameterizedTest
  @EnumSource(Tag.class)
  void everyTagIsCarried(Tag tag) {
    assertTrue(
        features()
            .flatMap(feature -> feature.metrics().stream())
            .anyMatch(metric -> metric.tags().contains(tag)));
  }
}
