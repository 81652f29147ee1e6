package io.millrace.cli.checkout;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TestCommandTest {
  @Test
  void everythingRunsSideBySideWhereThereAreProcessors() {
    assertTrue(TestCommand.everything(2, List.of()).contains("-T2"));
    assertFalse(TestCommand.everything(1, List.of()).contains("-T2"));
  }

  @Test
  void aTypedNumberOfThreadsIsMavensOnlyOne() {
    List<String> arguments = TestCommand.everything(8, List.of("-Dx=y", "-T1"));
    assertFalse(arguments.contains("-T2"), arguments.toString());
    assertFalse(arguments.toString().contains("forks"), arguments.toString());
  }
}
