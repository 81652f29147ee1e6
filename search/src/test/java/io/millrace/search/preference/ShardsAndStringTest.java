package io.millrace.search.preference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardsAndStringTest {
  @Test
  void readsShardsAndString() {
    ShardsAndString both = ShardsAndString.parse("_shards:3,0,3|session|42");
    assertEquals("{0, 3}", both.shards().toString());
    assertEquals("session|42", both.custom());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a|b", "_local", "_shards:0", "_shards:0|", "_shards:0|_local"})
  void leavesWhatStockUnderstands(String preference) {
    assertNull(ShardsAndString.parse(preference));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "0,", "-1", "0,x", "99999999999", "70000", "0, 1"})
  void aBadListNamesFieldValueAndRemedy(String list) {
    String preference = "_shards:" + list + "|u";
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> ShardsAndString.parse(preference));
    assertTrue(e.getMessage().contains("[preference] is [" + preference + "]"), e.getMessage());
    assertTrue(e.getMessage().contains("[_shards:0,1|any_string]"), e.getMessage());
  }
}
