package io.millrace.plugin.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.Feature;
import io.millrace.plugin.Features;
import io.millrace.plugin.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * docs/{settings,features,metrics}.md and the table in README.md are what the code says; {@code
 * -Dmillrace.docs.rewrite=true} writes them.
 */
class GeneratedPagesTest {
  private static final boolean REWRITE = Boolean.getBoolean("millrace.docs.rewrite");
  private static final String BEGIN = "<!-- features:begin -->";
  private static final String END = "<!-- features:end -->";

  private final List<Feature> features = Features.all();
  private final Path root = Repository.root();

  @Test
  void settings() throws IOException {
    check("docs/settings.md", FeaturePages.settings(features));
  }

  @Test
  void features() throws IOException {
    check("docs/features.md", FeaturePages.features(features));
  }

  @Test
  void metrics() throws IOException {
    check("docs/metrics.md", FeaturePages.metrics(features));
  }

  @Test
  void readme() throws IOException {
    Path readme = root.resolve("README.md");
    if (!Files.exists(readme)) {
      return;
    }
    String text = Repository.read(readme);
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    assertTrue(
        begin >= 0 && end > begin,
        "README.md shows the feature table between " + BEGIN + " and " + END);
    check(
        "README.md",
        text.substring(0, begin + BEGIN.length())
            + "\n"
            + FeaturePages.table(features, "")
            + text.substring(end));
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
