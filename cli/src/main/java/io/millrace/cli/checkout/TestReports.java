package io.millrace.cli.checkout;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Sums up the XML reports of Surefire and Failsafe ({@code target/*-reports/TEST-*.xml}).
 *
 * @param failures class and name of each
 * @param unsteady class and name of each that failed and passed when it ran again
 * @param ran every test with a report, in the order they are read
 */
record TestReports(
    int passed,
    int failed,
    int skipped,
    List<String> failures,
    List<String> unsteady,
    List<Ran> ran) {
  /**
   * One test that ran, or was skipped.
   *
   * @param type its class
   * @param method its method, without the arguments that a parameterized one shows
   */
  record Ran(String type, String method) {
    static Ran of(String type, String name) {
      return new Ran(type, name.split("[\\s(\\[{]", 2)[0]);
    }
  }

  private static final Set<String> NOT_OURS = Set.of("src", ".git", ".millrace", "node_modules");

  /** Reports written from then on; older ones are of another run. */
  static TestReports since(Path checkout, long millis) throws IOException {
    List<Path> reports = new ArrayList<>();
    Files.walkFileTree(
        checkout,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attrs) {
            return NOT_OURS.contains(dir.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attrs) {
            String name = file.getFileName().toString();
            Path dir = file.getParent();
            if (dir != null
                && dir.toString().endsWith("-reports")
                && name.startsWith("TEST-")
                && name.endsWith(".xml")
                && attrs.lastModifiedTime().toMillis() >= millis) {
              reports.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    TestReports sum = new TestReports(0, 0, 0, List.of(), List.of(), List.of());
    for (Path report : reports) {
      sum = sum.plus(read(report));
    }
    return sum;
  }

  private static TestReports read(Path report) throws IOException {
    int tests = 0;
    int skipped = 0;
    List<String> failures = new ArrayList<>();
    List<String> unsteady = new ArrayList<>();
    List<Ran> ran = new ArrayList<>();
    String test = "";
    XMLInputFactory factory = XMLInputFactory.newFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    try (InputStream in = Files.newInputStream(report)) {
      XMLStreamReader xml = factory.createXMLStreamReader(in);
      while (xml.hasNext()) {
        if (xml.next() == XMLStreamConstants.START_ELEMENT) {
          switch (xml.getLocalName()) {
            case "testcase" -> {
              tests++;
              String type = String.valueOf(xml.getAttributeValue(null, "classname"));
              String name = String.valueOf(xml.getAttributeValue(null, "name"));
              test = type + "." + name;
              ran.add(Ran.of(type, name));
            }
            case "skipped" -> skipped++;
            case "failure", "error" -> failures.add(test);
            case "flakyFailure", "flakyError" -> unsteady.add(test);
            default -> {}
          }
        }
      }
    } catch (XMLStreamException e) {
      failures.add(report + " is cut off: its test run was killed");
      tests++;
    }
    return new TestReports(
        tests - skipped - failures.size(), failures.size(), skipped, failures, unsteady, ran);
  }

  private TestReports plus(TestReports more) {
    List<String> all = new ArrayList<>(failures);
    all.addAll(more.failures);
    List<String> allUnsteady = new ArrayList<>(unsteady);
    allUnsteady.addAll(more.unsteady);
    List<Ran> both = new ArrayList<>(ran);
    both.addAll(more.ran);
    return new TestReports(
        passed + more.passed, failed + more.failed, skipped + more.skipped, all, allUnsteady, both);
  }

  String summary() {
    return passed + " passed, " + failed + " failed, " + skipped + " skipped";
  }
}
