package io.millrace.cli.checkout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which tests a name means, and how Maven is told. */
class TestSelectionTest {
  @TempDir private Path dir;

  @BeforeEach
  void aCheckout() throws IOException {
    source("write/src/test/java/io/x/DateTest.java");
    source("write/src/test/java/io/x/DateSupport.java");
    source("guard/src/test/java/io/y/RoutingTest.java");
    source("guard/src/test/java/io/y/DateTest.java");
    source("it/src/test/java/io/z/KilledIT.java");
    source("storage/src/test/java/io/s/ColumnFuzz.java");
    source("write/target/src/test/java/io/x/StaleTest.java");
    source("write/src/main/java/io/x/LoadTest.java");
  }

  private void source(String path) throws IOException {
    Path file = dir.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "");
  }

  private List<String> types(String... names) throws IOException {
    return TestSelection.of(dir, List.of(names)).tests().stream()
        .map(TestSelection.Found::type)
        .toList();
  }

  private ExpectedFailure refused(String name) {
    ExpectedFailure failure = assertThrows(ExpectedFailure.class, () -> types(name));
    assertEquals(ExitCode.USAGE, failure.exitCode());
    return failure;
  }

  @Test
  void aNameIsFoundInEveryModuleThatHasIt() throws IOException {
    assertEquals(List.of("io.y.DateTest", "io.x.DateTest"), types("DateTest"));
    assertEquals(List.of("io.x.DateTest"), types("io.x.DateTest"));
    assertEquals(List.of("io.y.RoutingTest", "io.s.ColumnFuzz"), types("Rout*Test", "ColumnFuzz"));
    assertEquals(List.of("io.y.DateTest", "io.x.DateTest"), types("Dat?Test#x"));
  }

  @Test
  void aNameThatMatchesNothingSaysWhatThereIs() {
    ExpectedFailure failure = refused("dateIT");
    assertEquals("no test is called \"dateIT\"", failure.getMessage());
    assertEquals("There are: DateTest", failure.remedy());
    assertTrue(String.valueOf(refused("Nothing").remedy()).contains("ends in Test"));
  }

  @Test
  void whatIsNoTestIsNotFound() {
    refused("DateSupport");
    refused("StaleTest");
    refused("LoadTest");
  }

  @Test
  void unitTestsNeedNoDistribution() throws IOException {
    assertEquals(
        List.of(
            "test",
            "-pl",
            "guard",
            "-am",
            "-Dtest=io.y.RoutingTest#a*",
            "-Dsurefire.failIfNoSpecifiedTests=false",
            "-Dfailsafe.failIfNoSpecifiedTests=false",
            "-Dspotless.check.skip"),
        TestSelection.of(dir, List.of("RoutingTest#a*")).mavenArguments());
  }

  @Test
  void clusterTestsRunInVerify() throws IOException {
    List<String> alone = TestSelection.of(dir, List.of("KilledIT")).mavenArguments();
    assertEquals(
        List.of("verify", "-pl", "it", "-am", "-Dtest=none", "-Dit.test=io.z.KilledIT"),
        alone.subList(0, 6));
    List<String> both =
        TestSelection.of(dir, List.of("KilledIT#a+b", "ColumnFuzz")).mavenArguments();
    assertEquals(
        List.of(
            "verify",
            "-pl",
            "it,storage",
            "-am",
            "-Dtest=io.s.ColumnFuzz",
            "-Dit.test=io.z.KilledIT#a+b"),
        both.subList(0, 6));
  }

  @Test
  void aMethodThatDoesNotExistIsNotCountedAsRun() throws IOException {
    Path report = dir.resolve("guard/target/surefire-reports/TEST-io.y.RoutingTest.xml");
    Files.createDirectories(report.getParent());
    Files.writeString(
        report,
        "<testsuite><testcase classname=\"io.y.RoutingTest\" name=\"one(int)[1]\"/></testsuite>");
    TestReports reports = TestReports.since(dir, 0);
    assertEquals(List.of(), notRun(reports, "RoutingTest#o*", "io.y.RoutingTest", "*Test"));
    assertEquals(List.of("RoutingTest#two"), notRun(reports, "RoutingTest#two", "RoutingTest#one"));
  }

  private List<String> notRun(TestReports reports, String... names) throws IOException {
    return TestSelection.of(dir, List.of(names)).notRun(reports);
  }

  @Test
  void namesStandBeforeTheDashesMavensArgumentsAfter() {
    List<String> names = new ArrayList<>();
    List<String> forMaven = new ArrayList<>();
    TestCommand.sort(List.of("test", "--", "-pl", "x"), List.of("-pl", "x"), names, forMaven);
    assertEquals(List.of(), names);
    assertEquals(List.of("-pl", "x"), forMaven);
    forMaven.clear();
    TestCommand.sort(
        List.of("test", "ATest", "--", "-o"), List.of("ATest", "--", "-o"), names, forMaven);
    assertEquals(List.of("ATest"), names);
    assertEquals(List.of("-o"), forMaven);
    List<String> wrong = List.of("ATest", "-o");
    ExpectedFailure failure =
        assertThrows(
            ExpectedFailure.class,
            () ->
                TestCommand.sort(
                    List.of("test", "ATest", "-o"), wrong, new ArrayList<>(), new ArrayList<>()));
    assertFalse(String.valueOf(failure.remedy()).isEmpty());
  }
}
