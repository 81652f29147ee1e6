package io.millrace.plugin.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.Feature;
import io.millrace.plugin.Features;
import io.millrace.plugin.sources.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;

/**
 * docs/{settings,features,metrics}.md and the settings table of each feature's page are what the
 * code says; {@code -Dmillrace.docs.rewrite=true} writes them.
 */
class GeneratedPagesTest {
  private static final boolean REWRITE = Boolean.getBoolean("millrace.docs.rewrite");

  private final List<Feature> features = Features.all();
  private final Path root = Repository.root();

  @Test
  void settings() throws IOException {
    check("docs/settings.md", FeaturePages.settings(features));
  }

  @Test
  void features() throws IOException {
    check("docs/features.md", FeaturePages.features(features, shipped()));
  }

  private Settings shipped() throws IOException {
    return Settings.builder()
        .loadFromPath(root.resolve("distribution/src/main/dist/config/opensearch.yml"))
        .build();
  }

  @Test
  void metrics() throws IOException {
    check("docs/metrics.md", FeaturePages.metrics(features));
  }

  @Test
  void settingsOfEachPage() throws IOException {
    for (Feature feature : features) {
      Path page = root.resolve(FeaturePages.page(feature.id()));
      assertTrue(Files.exists(page), feature.id() + " has no page " + page);
      String text = Repository.read(page);
      if (!text.contains(FeaturePages.BEGIN)) {
        continue;
      }
      int begin = text.indexOf(FeaturePages.BEGIN) + FeaturePages.BEGIN.length();
      int end = text.indexOf(FeaturePages.END);
      assertTrue(end >= begin, page + ": " + FeaturePages.BEGIN + " without " + FeaturePages.END);
      check(
          FeaturePages.page(feature.id()),
          text.substring(0, begin)
              + "\n"
              + FeaturePages.settingsTable(feature)
              + text.substring(end));
    }
  }

  @Test
  void frontDoorFitsOnAFewScreens() throws IOException {
    List<String> lines = Files.readAllLines(root.resolve("README.md"));
    assertTrue(lines.size() <= 120, "README.md has " + lines.size() + " lines, 120 at most");
    assertTrue(lines.stream().anyMatch(line -> line.contains("docs/features.md")), "README.md");
  }

  private void check(String page, String expected) throws IOException {
    Path file = root.resolve(page);
    if (REWRITE) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, expected);
    }
    assertEquals(
        expected,
        Files.exists(file) ? Repository.read(file) : "",
        page + " is out of date: run with -Dmillrace.docs.rewrite=true");
  }
}
