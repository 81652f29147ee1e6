package io.millrace.cli.checkout;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tests that a user names: {@code Class}, {@code Class#method}, each with {@code *} and {@code
 * ?}, the class with its package or without. They are looked for in the sources of every module,
 * because the suffix and the module decide how Maven runs them: classes that end in {@code IT} need
 * the assembled distribution (Failsafe), all others do not (Surefire).
 *
 * @param tests found, in the order of their modules
 */
record TestSelection(List<Found> tests) {
  private static final Set<String> NOT_OURS = Set.of("target", ".git", ".millrace", "node_modules");
  private static final Pattern TEST = Pattern.compile("\\w*(Test|Tests|IT|Fuzz)");
  private static final int SUGGESTIONS = 8;

  /**
   * A test class that was named.
   *
   * @param module folder of its module, counted from the checkout
   * @param type its whole name
   * @param methods pattern of its methods, {@code null} for all
   * @param named as the user wrote it
   */
  record Found(String module, String type, @Nullable String methods, String named) {
    boolean needsDistribution() {
      return type.endsWith("IT");
    }

    private String filter() {
      return methods == null ? type : type + "#" + methods;
    }

    /** Whether this report is of a test that was named. */
    boolean covers(String ranType, String ranMethod) {
      return ranType.equals(type)
          && (methods == null || glob(methods).matcher(ranMethod).matches());
    }
  }

  /**
   * Finds the tests.
   *
   * @throws ExpectedFailure when a name matches nothing, with what is there instead
   */
  static TestSelection of(Path checkout, List<String> names) throws IOException {
    List<Found> all = testClasses(checkout);
    List<Found> tests = new ArrayList<>();
    for (String name : names) {
      int hash = name.indexOf('#');
      String type = hash < 0 ? name : name.substring(0, hash);
      String methods = hash < 0 ? null : name.substring(hash + 1);
      Pattern wanted = glob(type);
      int before = tests.size();
      for (Found test : all) {
        String simple = test.type.substring(test.type.lastIndexOf('.') + 1);
        if (wanted.matcher(type.contains(".") ? test.type : simple).matches()) {
          tests.add(new Found(test.module, test.type, methods, name));
        }
      }
      if (tests.size() == before) {
        throw new ExpectedFailure(
            ExitCode.USAGE, "no test is called \"" + name + "\"", similar(all, type));
      }
    }
    return new TestSelection(List.copyOf(tests));
  }

  private static List<Found> testClasses(Path checkout) throws IOException {
    Set<Found> found =
        new TreeSet<>(java.util.Comparator.comparing(Found::module).thenComparing(Found::type));
    Files.walkFileTree(
        checkout,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            return NOT_OURS.contains(dir.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String path = checkout.relativize(file).toString().replace('\\', '/');
            int source = path.indexOf("/src/test/java/");
            if (source > 0 && path.endsWith(".java")) {
              String type =
                  path.substring(source + "/src/test/java/".length(), path.length() - 5)
                      .replace('/', '.');
              if (TEST.matcher(type.substring(type.lastIndexOf('.') + 1)).matches()) {
                found.add(new Found(path.substring(0, source), type, null, type));
              }
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return List.copyOf(found);
  }

  private static String similar(List<Found> all, String type) {
    String part = type.replaceAll("[*?]", "").toLowerCase(Locale.ROOT);
    String stem = part.replaceAll("(tests?|it|fuzz)$", "");
    List<String> near =
        all.stream()
            .map(test -> test.type.substring(test.type.lastIndexOf('.') + 1))
            .filter(name -> !stem.isEmpty() && name.toLowerCase(Locale.ROOT).contains(stem))
            .distinct()
            .limit(SUGGESTIONS)
            .toList();
    return near.isEmpty()
        ? "Give a class that ends in Test, Tests, IT or Fuzz, or a pattern such as '*RoutingNodeTests'."
        : "There are: " + String.join(", ", near);
  }

  private static Pattern glob(String text) {
    StringBuilder regex = new StringBuilder();
    for (char c : text.toCharArray()) {
      switch (c) {
        case '*' -> regex.append(".*");
        case '?' -> regex.append('.');
        case '+' -> regex.append('|'); // Class#one+two
        default -> regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return Pattern.compile(regex.toString());
  }

  /** Maven's arguments that build what these tests need and run them, and nothing else. */
  List<String> mavenArguments() {
    List<String> arguments = new ArrayList<>();
    String modules = String.join(",", new TreeSet<>(tests.stream().map(Found::module).toList()));
    boolean distribution = tests.stream().anyMatch(Found::needsDistribution);
    arguments.addAll(List.of(distribution ? "verify" : "test", "-pl", modules, "-am"));
    arguments.add("-Dtest=" + filters(false));
    if (distribution) {
      arguments.add("-Dit.test=" + filters(true));
    }
    // the modules that are only built have none of these tests
    arguments.add("-Dsurefire.failIfNoSpecifiedTests=false");
    arguments.add("-Dfailsafe.failIfNoSpecifiedTests=false");
    arguments.add("-Dspotless.check.skip");
    return arguments;
  }

  private String filters(boolean distribution) {
    List<String> filters =
        tests.stream()
            .filter(test -> test.needsDistribution() == distribution)
            .map(Found::filter)
            .distinct()
            .toList();
    return filters.isEmpty() ? "none" : String.join(",", filters);
  }

  /** Names of which no test ran, although the build got so far. */
  List<String> notRun(TestReports reports) {
    return tests.stream()
        .map(Found::named)
        .distinct()
        .filter(name ->
            tests.stream()
                .filter(test -> test.named.equals(name))
                .noneMatch(test ->
                    reports.ran().stream().anyMatch(r -> test.covers(r.type(), r.method()))))
        .toList();
  }
}
