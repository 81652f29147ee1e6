package io.millrace.search.columns;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opensearch.common.time.DateFormatter;
import org.opensearch.common.time.DateUtils;

class DateTextsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "strict_date_optional_time",
        "strict_date_optional_time||epoch_millis",
        "date_time",
        "epoch_millis",
        "epoch_second",
        "basic_date_time",
        "yyyy-MM-dd HH:mm:ss.SSS",
        "yyyy-MM-dd'T'hh:mm:ss.SSS'Z'",
        "yyyy-MM-dd'T'HH:mm:ss.000'Z'",
        "SSS yyyy-MM-dd'T'HH:mm:ss.SSS'Z'",
        "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"
      })
  void textsAreThoseOfTheFormatter(String pattern) {
    DateFormatter formatter = DateFormatter.forPattern(pattern);
    DateTexts texts = new DateTexts(pattern, false);
    Random random = new Random(pattern.hashCode());
    long time = 0;
    for (int i = 0; i < 2_000; i++) {
      time =
          switch (random.nextInt(4)) {
            case 0 -> random.nextLong(-62_000_000_000_000L, 250_000_000_000_000L);
            case 1 -> Math.floorDiv(time, 86_400_000) * 86_400_000 - random.nextInt(2);
            default -> time + random.nextInt(50_000);
          };
      assertEquals(
          formatter.format(Instant.ofEpochMilli(time).atZone(ZoneOffset.UTC)), texts.of(time));
    }
  }

  @Test
  void nanosecondsKeepTheirDigits() {
    long time = 1_795_000_000_123_456_789L;
    assertEquals(
        DateFormatter.forPattern("strict_date_optional_time_nanos")
            .format(DateUtils.toInstant(time).atZone(ZoneOffset.UTC)),
        new DateTexts("strict_date_optional_time_nanos", true).of(time));
  }
}
