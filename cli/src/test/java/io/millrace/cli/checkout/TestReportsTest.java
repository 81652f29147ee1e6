package io.millrace.cli.checkout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestReportsTest {
  private static final String REPORT =
      """
      <testsuite tests="4">
        <testcase classname="a.B" name="works"/>
        <testcase classname="a.B" name="fails"><failure message="no">trace</failure></testcase>
        <testcase classname="a.B" name="breaks"><error message="no">trace</error></testcase>
        <testcase classname="a.B" name="waits"><skipped/></testcase>
      </testsuite>
      """;

  @Test
  void sumsUpSurefireAndFailsafe(@TempDir Path dir) throws IOException {
    report(dir, "x/target/surefire-reports/TEST-a.B.xml", REPORT);
    report(dir, "y/target/failsafe-reports/TEST-a.C.xml", REPORT);
    TestReports reports = TestReports.since(dir, 0);
    assertEquals("2 passed, 4 failed, 2 skipped", reports.summary());
    assertTrue(reports.failures().contains("a.B.fails"));
  }

  @Test
  void aTestThatPassedWhenItRanAgainIsNamed(@TempDir Path dir) throws IOException {
    report(
        dir,
        "x/target/surefire-reports/TEST-a.B.xml",
        """
        <testsuite tests="3">
          <testcase classname="a.B" name="steady"/>
          <testcase classname="a.B" name="once"><flakyFailure message="no"/></testcase>
          <testcase classname="a.B" name="twice"><failure/><rerunFailure/></testcase>
        </testsuite>
        """);
    TestReports reports = TestReports.since(dir, 0);
    assertEquals("2 passed, 1 failed, 0 skipped", reports.summary());
    assertEquals(List.of("a.B.once"), reports.unsteady());
    assertEquals(List.of("a.B.twice"), reports.failures());
  }

  @Test
  void reportsOfAnEarlierRunDoNotCount(@TempDir Path dir) throws IOException {
    Path old = report(dir, "x/target/surefire-reports/TEST-a.B.xml", REPORT);
    Files.setLastModifiedTime(old, FileTime.fromMillis(1000));
    assertEquals("0 passed, 0 failed, 0 skipped", TestReports.since(dir, 2000).summary());
  }

  @Test
  void aReportCutOffIsAFailure(@TempDir Path dir) throws IOException {
    report(dir, "x/target/surefire-reports/TEST-a.B.xml", REPORT.substring(0, 90));
    assertEquals(1, TestReports.since(dir, 0).failed());
  }

  private static Path report(Path dir, String name, String text) throws IOException {
    Path file = dir.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }
}
