package io.millrace.launcher.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeapTest {
  private static final long GB = 1L << 30;

  @ParameterizedTest
  @CsvSource({"1,8,2048m", "1,64,4096m", "3,24,2048m", "3,2,512m"})
  void aQuarterOfTheMemoryBetweenHalfAndFourGigabytes(int nodes, long memory, String heap) {
    assertEquals(heap, Heap.byDefault(nodes, memory * GB));
  }

  @ParameterizedTest
  @ValueSource(strings = {"5x", "", "-1g", "1.5g", "1024", "g", "99999999999g"})
  void whatIsNoSizeIsRefused(String heap) {
    ExpectedFailure failure =
        assertThrows(ExpectedFailure.class, () -> Heap.checked(heap, 1, 8 * GB));
    assertEquals(ExitCode.USAGE, failure.exitCode());
  }

  @Test
  void sizesAreCheckedAgainstTheMachine() {
    assertEquals("2g", Heap.checked("2G", 3, 8 * GB));
    assertEquals("512m", Heap.checked("512mb", 1, 8 * GB));
    assertEquals(
        ExitCode.USAGE,
        assertThrows(ExpectedFailure.class, () -> Heap.checked("100m", 1, 8 * GB)).exitCode());
    assertEquals(
        ExitCode.ENVIRONMENT,
        assertThrows(ExpectedFailure.class, () -> Heap.checked("3g", 3, 8 * GB)).exitCode());
  }

  @Test
  void warnsWhereReferencesGrow() {
    assertFalse(Heap.tooLarge("31g"));
    assertTrue(Heap.tooLarge("32g"));
  }

  @Test
  void aServerGetsHalfAndAtMost31() {
    assertEquals("4096m", Heap.ofServer(1, 8 * GB));
    assertEquals("1365m", Heap.ofServer(3, 8 * GB));
    assertEquals("31744m", Heap.ofServer(1, 256 * GB));
    assertEquals("512m", Heap.ofServer(4, GB));
    assertEquals(31 * GB, Heap.bytes(Heap.ofServer(1, 256 * GB)));
  }
}
