package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClassPointersWideTest extends CheckTestCase {
  ClassPointersWideTest() {
    super(new ClassPointersWide());
  }

  private static Sick flags(String... flags) {
    return Sick.cluster().info("jvm/input_arguments", List.of(flags));
  }

  @Test
  void firesForTheFlag() {
    fires(Severity.WARN, flags("-Xmx8g", "-XX:-UseCompressedClassPointers"));
  }

  @Test
  void ofTwoTheLastOneCounts() {
    silent(flags("-XX:-UseCompressedClassPointers", "-XX:+UseCompressedClassPointers"));
  }
}
