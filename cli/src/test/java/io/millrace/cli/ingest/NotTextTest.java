package io.millrace.cli.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is text and what is not; the bytes of files of either kind. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class NotTextTest {
  private static final String LINES =
      "2026-01-01T00:00:00Z order 17 f\u00fcr M\u00fcller\n".repeat(20);

  private static NotText of(String latin1) {
    return NotText.of(latin1.getBytes(StandardCharsets.ISO_8859_1), "f");
  }

  @Test
  void textOfAnyEncodingIsText() {
    for (String charset : new String[] {"UTF-8", "ISO-8859-1", "Shift_JIS", "GB18030", "EUC-KR"}) {
      byte[] bytes = (LINES + "\u65e5\u672c\u8a9e ".repeat(200)).getBytes(Charset.forName(charset));
      assertNull(NotText.of(bytes, "f"), charset);
    }
    assertNull(of(""));
    assertNull(of("short"));
    assertNull(of("\u001b[31mred\u001b[0m plain\r\n".repeat(30)), "colours");
    assertNull(
        of("8=FIX.4.2\u00019=65\u000135=A\u000149=S\u000156=T\u000110=062\u0001\n".repeat(20)));
    assertNull(of("\0".repeat(3000) + LINES), "a file that was truncated under its writer");
    assertNull(of("\0".repeat(4096)), "the same, longer");
    assertNull(of("BZh is how this line begins, and it is text all the same; " + LINES));
  }

  @Test
  void archivesAreNamedWithWhatReadsThem() {
    assertEquals("compressed with xz", of("\u00fd7zXZ\0\0\4").what());
    assertEquals("compressed with bzip2", of("BZh91AY&SY\u00ee").what());
    assertEquals("a zip archive", of("PK\3\4\24\0").what());
    NotText tar = of("a.log" + "\0".repeat(252) + "ustar\0");
    assertEquals("a tar archive", tar.what());
    assertEquals("Give its text: tar -xOf f | millrace ingest -", tar.remedy());
    assertEquals("a program", of("\u007fELF\2\1\1").what());
  }

  @Test
  void recordsAndRandomBytesAreNoText() {
    byte[] random = new byte[4096];
    for (int seed = 0; seed < 200; seed++) {
      new Random(seed).nextBytes(random);
      assertNotNull(NotText.of(random, "f"), "seed " + seed);
    }
    assertEquals("not text", of("\7\0\0\0root\0\0\0\0pts/0\0\0\0".repeat(20)).what());
  }

  /** The first bytes of a pipe are looked at as they come, and are still there afterwards. */
  @Test
  void aPipeThatHasLittleToSayIsNotHeldUp() throws IOException {
    try (PipedOutputStream writer = new PipedOutputStream();
        BufferedInputStream in = new BufferedInputStream(new PipedInputStream(writer))) {
      writer.write("one line\n".getBytes(StandardCharsets.UTF_8));
      writer.flush();
      assertNull(NotText.in(in, "-"));
      assertEquals("one line\n", new String(in.readNBytes(9), StandardCharsets.UTF_8));
    }
  }
}
