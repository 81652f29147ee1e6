package io.millrace.credential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;

class OperatorsTest {
  private static final PasswordHash HASH = PasswordHash.of("correct horse".toCharArray(), 1_000);

  private static String refused(String text) {
    return assertThrows(IllegalArgumentException.class, () -> Operators.parse(text)).getMessage();
  }

  @Test
  void readsWhatItWrites() {
    String text = Operators.with("# first password of this cluster\n", "admin", HASH);
    text = Operators.with(text, "night.shift@example", HASH);
    Operators operators = Operators.parse(text);
    assertEquals(Set.of("admin", "night.shift@example"), operators.hashes().keySet());
    assertTrue(operators.hashes().get("admin").matches("correct horse".toCharArray()));
    assertTrue(text.startsWith("# first"), "comments stay");
  }

  @Test
  void anotherPasswordTakesThePlaceOfTheFirst() {
    String text = Operators.with("", "admin", HASH);
    PasswordHash other = PasswordHash.of("another horse".toCharArray(), 1_000);
    Operators operators = Operators.parse(Operators.with(text, "admin", other));
    assertEquals(1, operators.hashes().size());
    assertTrue(operators.hashes().get("admin").matches("another horse".toCharArray()));
  }

  @Test
  void namesTheLineThatIsWrongAndNotItsText() {
    String said = refused("# here\n\nadmin:hunter2-in-the-clear\n");
    assertTrue(said.contains("line 3"), said);
    assertFalse(said.contains("hunter2"), said);
    assertTrue(refused(":" + HASH.text()).contains("[name:hash]"));
    assertTrue(refused("no colon").contains("line 1"));
    String twice = "a:" + HASH.text() + "\na:" + HASH.text();
    assertTrue(refused(twice).contains("[a] stands there already"));
  }

  @Test
  void refusesANameThatWouldBreakTheLine() {
    assertThrows(IllegalArgumentException.class, () -> Operators.with("", "a:b", HASH));
    assertThrows(IllegalArgumentException.class, () -> Operators.with("", "a\nb", HASH));
  }
}
