package io.millrace.storage.columnarsource.column;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.columnarsource.bytes.Spans;
import io.millrace.storage.columnarsource.section.SectionReader;
import io.millrace.storage.columnarsource.section.SectionWriter;
import io.millrace.storage.zstandard.DecompressionContexts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which kind a column is written in, and that its values come back. */
class ColumnEncoderTest {
  /** The kind of a column, all of whose values come back. */
  private static int kind(List<String> values) {
    byte[] text = String.join("", values).getBytes(StandardCharsets.UTF_8);
    Spans spans = new Spans(text, values.size());
    int start = 0;
    for (String value : values) {
      spans.add(start, value.length());
      start += value.length();
    }
    try (SectionWriter out = new SectionWriter(1)) {
      new ColumnEncoder(out, null).encode(spans);
      int kind = out.directory.bytes[0];
      assertEquals(values, read(out, values.size()));
      return kind;
    }
  }

  private static List<String> read(SectionWriter out, int count) {
    ByteSink body = new ByteSink(64);
    out.body(body);
    body.ensure(8);
    SectionReader sections = new SectionReader(new DecompressionContexts(1));
    sections.open(body.bytes, 0, body.length, null, 0);
    Column column = Column.read(sections, new BlockTemplates(), count);
    List<String> values = new ArrayList<>();
    for (int i = count - 1; i >= 0; i--) {
      ByteSink value = new ByteSink(1);
      column.append(i, value);
      values.add(new String(value.bytes, 0, value.length, StandardCharsets.UTF_8));
    }
    return values.reversed();
  }

  private static List<byte[]> bytes(int length) {
    Random random = new Random(length);
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      byte[] one = new byte[length + random.nextInt(3)];
      random.nextBytes(one);
      all.add(one);
    }
    return all;
  }

  private static List<String> base64(int length) {
    List<String> values = new ArrayList<>();
    bytes(length).forEach(one -> values.add(Base64.getEncoder().encodeToString(one)));
    return values;
  }

  @Test
  void longBytesInBase64AreKeptAsBytes() {
    assertEquals(ColumnKind.BASE64, kind(base64(200)));
  }

  @Test
  void oneValueThatWouldComeBackOtherwiseKeepsAllOfThemText() {
    List<String> values = base64(200);
    values.set(300, values.get(300).replace("=", "") + "_A==");
    assertEquals(ColumnKind.TEXT, kind(values));
  }

  @Test
  void shortWordsAreTextThoughTheyCouldBeBase64() {
    assertEquals(ColumnKind.TEXT, kind(base64(6)));
  }

  @Test
  void hexadecimalIdsKeepTheirKind() {
    List<String> values = new ArrayList<>();
    bytes(24).forEach(one -> values.add(HexFormat.of().formatHex(one, 0, 24)));
    assertEquals(ColumnKind.HEX, kind(values));
  }
}
