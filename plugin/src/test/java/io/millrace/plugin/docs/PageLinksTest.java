package io.millrace.plugin.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.millrace.kernel.Feature;
import io.millrace.plugin.Features;
import io.millrace.plugin.sources.ClassPath;
import io.millrace.plugin.sources.Repository;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the pages point at is there: files, headings, classes, settings and features. A reader who
 * follows a name must not end in a version of the product that is gone.
 */
class PageLinksTest {
  private static final Pattern LINK =
      Pattern.compile("\\]\\(([^)\\s]+)\\)|\\bsrc(?:set)?=\"([^\"]+)\"");
  private static final Pattern CODE = Pattern.compile("(?<!`)`([^`\\n]+)`(?!`)");
  private static final Pattern SETTING =
      Pattern.compile("(index\\.)?millrace\\.[a-z0-9_]+(\\.[a-z0-9_]+)*");
  private static final Pattern CLASS =
      Pattern.compile("([A-Z][a-z0-9]+(?:[A-Z]+[a-z0-9]*)+)(?:\\.java|[.#]\\w+)?");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *$");
  private static final Pattern ANCHOR = Pattern.compile("<a (?:id|name)=\"([^\"]+)\"");
  private static final Pattern SERVER_SOURCE =
      Pattern.compile(
          "https://github\\.com/opensearch-project/OpenSearch/blob/3\\.8\\.0/.*/java/(.*)\\.java.*");

  private final List<Path> pages = Repository.pages();
  private final List<String> wrong = new ArrayList<>();

  /** A page's text without blocks of code: what is in them is shown, not linked. */
  private static String prose(Path page) {
    return Repository.read(page).replaceAll("(?ms)^ *```.*?^ *```", "");
  }

  @Test
  void filesAndHeadingsAreThere() {
    ClassPath classPath = new ClassPath();
    int links = 0;
    for (Path page : pages) {
      Matcher link = LINK.matcher(prose(page));
      while (link.find()) {
        links++;
        String target = link.group(1) != null ? link.group(1) : link.group(2);
        Matcher server = SERVER_SOURCE.matcher(target);
        if (server.matches()) {
          if (!classPath.has(server.group(1))) {
            wrong.add(page + " links " + target + ", which is no class of the server");
          }
        } else if (!target.matches("[a-z]+:.*")) {
          check(page, target);
        }
      }
    }
    assertTrue(links > 100, "only " + links + " links were read");
    assertEquals(List.of(), wrong);
  }

  /**
   * A page with pictures opens on a phone, and each picture is there for light and dark readers.
   */
  @Test
  void picturesOfThePageOfLogsAreSmallAndShown() throws IOException {
    Path images = Repository.root().resolve("docs/images");
    List<Path> pictures;
    try (Stream<Path> files = Files.list(images)) {
      pictures = files.filter(file -> file.toString().endsWith(".webp")).toList();
    }
    assertFalse(pictures.isEmpty(), images + " has no picture");
    String text = pages.stream().map(Repository::read).collect(Collectors.joining());
    for (Path picture : pictures) {
      String name = picture.getFileName().toString();
      assertTrue(Files.size(picture) < 150_000, name + " has " + Files.size(picture) + " bytes");
      assertTrue(text.contains(name), "no page shows " + name);
      assertTrue(
          Files.exists(
              images.resolve(
                  name.contains("-dark.")
                      ? name.replace("-dark.", "-light.")
                      : name.replace("-light.", "-dark."))),
          name + " has no other colour");
    }
    List<String> readme = Files.readAllLines(Repository.root().resolve("README.md"));
    assertTrue(
        readme.stream().limit(12).anyMatch(line -> line.contains("explorer-light.webp")),
        "README.md shows no picture of the page of logs at its top");
  }

  private void check(Path page, String target) {
    int hash = target.indexOf('#');
    String path = hash < 0 ? target : target.substring(0, hash);
    Path file = path.isEmpty() ? page : page.resolveSibling(path).normalize();
    if (!Files.exists(file)) {
      wrong.add(page + " links " + target + ", which is not there");
    } else if (hash >= 0 && !anchors(file).contains(target.substring(hash + 1))) {
      wrong.add(page + " links " + target + ", a heading that is not there");
    }
  }

  /** The names by which a page's places can be linked, headings as GitHub names them. */
  private static Set<String> anchors(Path page) {
    Set<String> anchors = new HashSet<>();
    String text = Repository.read(page);
    Matcher heading = HEADING.matcher(prose(page));
    while (heading.find()) {
      anchors.add(
          heading
              .group(1)
              .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N}\\s_-]", "")
              .replace(' ', '-'));
    }
    Matcher anchor = ANCHOR.matcher(text);
    while (anchor.find()) {
      anchors.add(anchor.group(1));
    }
    return anchors;
  }

  @Test
  void settingsExist() {
    Set<String> known = new TreeSet<>();
    for (Feature feature : Features.all()) {
      known.add(feature.enabled().setting().getKey());
      feature.knobs().forEach(knob -> known.add(knob.setting().getKey()));
    }
    // the rest are system properties of the build and its tests, which stand there in full or in
    // two
    String text = Repository.buildText();
    each((page, code) -> {
      Matcher setting = SETTING.matcher(code.replaceFirst("^-D", "").replaceFirst("[=:].*", ""));
      if (setting.matches()
          && !known.contains(setting.group())
          && known.stream().noneMatch(key -> key.startsWith(setting.group() + "."))
          && !text.contains(setting.group())
          && !inTwo(text, setting.group())) {
        wrong.add(page + " names the setting " + setting.group() + ", which is not there");
      }
    });
    assertEquals(List.of(), wrong);
  }

  private static boolean inTwo(String text, String name) {
    int dot = name.lastIndexOf('.') + 1;
    return text.contains("\"" + name.substring(0, dot) + "\"")
        && text.contains("\"" + name.substring(dot) + "\"");
  }

  @Test
  void featuresExist() {
    Set<String> ids = Features.all().stream().map(Feature::id).collect(Collectors.toSet());
    Set<String> domains =
        ids.stream().map(id -> id.substring(0, id.indexOf('.'))).collect(Collectors.toSet());
    Pattern id = Pattern.compile("(" + String.join("|", domains) + ")\\.[a-z]+-[a-z-]+[a-z]");
    each((page, code) -> {
      boolean decision = page.toString().contains("/adr/"); // may name what it decided against
      if (!decision && id.matcher(code).matches() && !ids.contains(code)) {
        wrong.add(page + " names the feature " + code + ", which is not there");
      }
    });
    assertEquals(List.of(), wrong);
  }

  @Test
  void classesExist() {
    ClassPath classPath = new ClassPath();
    String text = Repository.buildText();
    each((page, code) -> {
      Matcher type = CLASS.matcher(code);
      if (type.matches()
          && classPath.classes(type.group(1)).isEmpty()
          && !text.contains(type.group(1))
          && !isOption(type.group(1))) {
        wrong.add(page + " names the class " + code + ", which is not there");
      }
    });
    assertEquals(List.of(), wrong);
  }

  /** Whether the JVM has an option of this name: they are written as classes are. */
  private static boolean isOption(String name) {
    try {
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).getVMOption(name);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private interface Check {
    void code(Path page, String code);
  }

  private void each(Check check) {
    for (Path page : pages) {
      Matcher code = CODE.matcher(prose(page));
      while (code.find()) {
        check.code(page, code.group(1));
      }
    }
  }
}
