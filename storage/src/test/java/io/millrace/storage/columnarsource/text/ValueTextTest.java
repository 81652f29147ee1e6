package io.millrace.storage.columnarsource.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is accepted is written back as it was; what would not be is refused. */
class ValueTextTest {
  private final ByteSink out = new ByteSink(64);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private String written() {
    String text = new String(out.bytes, 0, out.length, StandardCharsets.UTF_8);
    out.length = 0;
    return text;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "7",
        "-7",
        "10",
        "999999999999999999",
        "9223372036854775807",
        "-9223372036854775807"
      })
  void numbers(String text) {
    long value = NumberText.parse(bytes(text), 0, text.length());
    NumberText.append(value, out);
    assertEquals(text, written());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "-0",
        "00",
        "01",
        "+1",
        "1.0",
        "1e3",
        "9223372036854775808",
        "12345678901234567890",
        "x",
        "1x"
      })
  void otherNumbers(String text) {
    assertEquals(NumberText.REFUSED, NumberText.parse(bytes(text), 0, text.length()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-21T05:40:00.123Z",
        "2026-11-21 05:40:00,123",
        "1969-12-31T23:59:59.999Z",
        "2000-02-29T00:00:00Z",
        "1700-01-01T00:00:00.000000000Z",
        "2199-12-31T23:59:59.999999999+02:00",
        "2026-11-21T05:40:00"
      })
  void times(String text) {
    TimeText layout = TimeText.of(bytes(text), 0, text.length());
    assertNotNull(layout);
    layout.append(layout.parse(bytes(text), 0, text.length()), out);
    assertEquals(text, written());
  }

  @Test
  void everyDay() {
    TimeText layout = TimeText.of(bytes("2000-01-01T00:00:00Z"), 0, 20);
    assertNotNull(layout);
    long previous = Long.MIN_VALUE;
    for (long day = -98_000; day < 83_000; day++) {
      layout.append(day * 86_400 + 3661, out);
      byte[] text = bytes(written());
      assertEquals(day * 86_400 + 3661, layout.parse(text, 0, text.length));
      assertTrue(day * 86_400 > previous);
      previous = day * 86_400;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-02-29T05:40:00.123Z",
        "2026-13-01T05:40:00.123Z",
        "2026-11-00T05:40:00.123Z",
        "2026-11-21T24:00:00.000Z",
        "2026-11-21T05:60:00.123Z",
        "2026-11-21T05:40:60.123Z",
        "1699-12-31T23:59:59.999Z",
        "2200-01-01T00:00:00.000Z",
        "2026-1x-21T05:40:00.123Z",
        "2026-11-21T05:40:00.12xZ"
      })
  void otherTimes(String text) {
    TimeText layout = TimeText.of(bytes("2026-11-21T05:40:00.123Z"), 0, 24);
    assertNotNull(layout);
    assertEquals(NumberText.REFUSED, layout.parse(bytes(text), 0, text.length()));
  }
}
