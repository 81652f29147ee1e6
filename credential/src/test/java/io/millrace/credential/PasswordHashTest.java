package io.millrace.credential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordHashTest {
  private static final int FEW = 1_000;

  private static PasswordHash of(String password) {
    return PasswordHash.of(password.toCharArray(), FEW);
  }

  @Test
  void matchesItsPasswordAndNoOther() {
    PasswordHash kept = PasswordHash.parse(of("correct horse").text());
    assertTrue(kept.matches("correct horse".toCharArray()));
    assertFalse(kept.matches("correct horsf".toCharArray()));
    assertFalse(kept.matches("".toCharArray()));
    assertFalse(kept.matches("x".repeat(100_000).toCharArray()));
  }

  @Test
  void aPasswordBeyondAsciiIsOne() {
    assertTrue(of("пароль-\uD83D\uDD11-密码").matches("пароль-\uD83D\uDD11-密码".toCharArray()));
  }

  @Test
  void everyHashHasASaltOfItsOwn() {
    assertNotEquals(of("correct horse").text(), of("correct horse").text());
  }

  @Test
  void aNewHashHasTheRoundsThatAreAskedForToday() {
    PasswordHash hash = PasswordHash.of("correct horse".toCharArray());
    assertTrue(hash.text().startsWith("$pbkdf2-sha512$210000$"), "rounds of a new hash");
    assertTrue(hash.matches("correct horse".toCharArray()));
  }

  @Test
  void neverShowsItselfInALogLine() {
    PasswordHash hash = of("correct horse");
    assertEquals("$pbkdf2-sha512$...", hash.toString());
  }

  @Test
  void refusesPasswordsByLength() {
    for (String wrong : new String[] {"", "1234567", "x".repeat(257)}) {
      String said = assertThrows(IllegalArgumentException.class, () -> of(wrong)).getMessage();
      assertTrue(said.contains("[" + wrong.length() + "] characters"), said);
      assertTrue(said.contains("8 to 256"), said);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "secret",
        "$pbkdf2-sha512$",
        "$pbkdf2-sha512$x$AAAA$AAAA",
        "$pbkdf2-sha512$1$AAAAAAAAAAAAAAAAAAAAAA$AAAA",
        "$pbkdf2-sha512$210000$!!!$AAAA",
        "$pbkdf2-sha512$999999999$AAAAAAAAAAAAAAAAAAAAAA$AAAA",
        "$2a$10$abcdefghijklmnopqrstuv"
      })
  void whatIsNoHashIsRefusedWithoutBeingRepeated(String wrong) {
    String said =
        assertThrows(IllegalArgumentException.class, () -> PasswordHash.parse(wrong)).getMessage();
    assertTrue(said.contains("[rounds] from 1000 to 10000000"), said);
    assertFalse(wrong.length() > 15 && said.contains(wrong), said);
  }

  @Test
  void aRandomPasswordIsOneThatNobodyHasSeen() {
    String one = new String(PasswordHash.random());
    assertEquals(24, one.length());
    assertTrue(one.matches("[a-zA-Z2-9]+"), "letters and digits");
    assertNotEquals(one, new String(PasswordHash.random()));
  }
}
