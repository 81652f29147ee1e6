package io.millrace.plugin.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.Feature;
import io.millrace.plugin.Features;
import io.millrace.plugin.sources.JavaSource;
import io.millrace.plugin.sources.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * docs/promises.md and the code say the same: every promise that a feature names has its line, the
 * line links that feature, and what is called kept names a test class that exists.
 */
class PromisesTest {
  private static final Pattern ROW =
      Pattern.compile("\\| <a id=\"([a-z0-9-]+)\"></a>`([^`]+)` \\|(.*)\\|");
  private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w+)`");

  private record Promise(String id, String state, String features, String tests) {
    boolean links(Feature feature) {
      return features.contains("(../" + FeaturePages.page(feature.id()) + ")");
    }
  }

  private final List<Promise> promises = promises();

  @Test
  void everyPromiseHasAnIdOfItsOwn() {
    assertTrue(promises.size() > 50, () -> "only " + promises.size() + " promises were read");
    Set<String> ids = new HashSet<>();
    promises.forEach(promise -> assertTrue(ids.add(promise.id()), promise.id() + " stands twice"));
  }

  @Test
  void everyFeatureKeepsPromisesThatNameIt() {
    for (Feature feature : Features.all()) {
      assertFalse(feature.sources().isEmpty(), feature.id() + " names no promise");
      for (String id : feature.sources()) {
        List<Promise> named = promises.stream().filter(promise -> promise.id().equals(id)).toList();
        assertEquals(1, named.size(), feature.id() + " names " + id + ", see docs/promises.md");
        assertTrue(named.getFirst().links(feature), id + " does not link " + feature.id());
      }
    }
  }

  @Test
  void everyFeatureThatAPromiseLinksNamesIt() {
    for (Promise promise : promises) {
      for (Feature feature : Features.all()) {
        assertTrue(
            !promise.links(feature) || feature.sources().contains(promise.id()),
            promise.id() + " links " + feature.id() + ", which does not name it");
      }
    }
  }

  @Test
  void everyTestExistsAndWhatExistsIsTested() {
    Set<String> classes =
        Repository.javaSources().stream().map(JavaSource::typeName).collect(Collectors.toSet());
    for (Promise promise : promises) {
      List<String> tests = CLASS.matcher(promise.tests()).results().map(m -> m.group(1)).toList();
      for (String test : tests) {
        assertTrue(classes.contains(test), promise.id() + " names " + test + ", which is no class");
      }
      assertTrue(
          !tests.isEmpty() || untested(promise.state()),
          promise.id() + " is called " + promise.state() + " and names no test");
    }
  }

  /** A goal without a figure is no kept promise: its page says so in these words. */
  @Test
  void whatIsKeptHasNoGoalThatWaitsForItsFigure() {
    for (Promise promise : promises) {
      for (Feature feature : Features.all()) {
        Path page =
            Repository.root()
                .resolve(FeaturePages.page(feature.id()).replaceFirst("\\.md$", "-measured.md"));
        if (promise.state().startsWith("kept") && promise.links(feature) && Files.exists(page)) {
          assertFalse(
              Repository.read(page).contains("the goal counts as missed"),
              promise.id() + " is called kept, and a goal of " + page + " has no figure yet");
        }
      }
    }
  }

  private static boolean untested(String state) {
    return state.equals("not yet")
        || state.startsWith("declined")
        || state.matches("stock.*; not (tested|measured) yet");
  }

  private static List<Promise> promises() {
    String page = Repository.read(Repository.root().resolve("docs/promises.md"));
    List<Promise> promises = new ArrayList<>();
    for (String line : page.lines().filter(line -> line.startsWith("| <a id")).toList()) {
      Matcher row = ROW.matcher(line);
      assertTrue(row.matches(), line);
      assertEquals(row.group(1), row.group(2), "anchor and id of " + line);
      String[] cells = row.group(3).split("\\|", -1);
      assertEquals(5, cells.length, "promise, state, feature, test and figure of " + line);
      promises.add(new Promise(row.group(1), cells[1].strip(), cells[2].strip(), cells[3].strip()));
    }
    return promises;
  }
}
