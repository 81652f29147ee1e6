package io.millrace.cli.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 300, unit = TimeUnit.SECONDS)
class InputTest {
  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return out.toByteArray();
  }

  /** Delivers one byte at a time and never knows what is available, as a slow pipe does. */
  private static InputStream pipe(byte[] bytes) {
    return new FilterInputStream(new ByteArrayInputStream(bytes)) {
      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        return super.read(target, offset, Math.min(1, length));
      }

      @Override
      public int available() {
        return 0;
      }
    };
  }

  private static byte[] concat(byte[]... parts) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.write(part);
    }
    return out.toByteArray();
  }

  @Test
  void membersAfterTheFirstArriveThroughAPipe() throws IOException {
    byte[] bytes = concat(gzip("one\n"), gzip(""), gzip("two\n"), new byte[512]);
    try (GzipMembers in = new GzipMembers(pipe(bytes))) {
      assertEquals("one\ntwo\n", new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void brokenGzipNamesItsByte() throws IOException {
    byte[] whole = gzip("some text");
    byte[] trailing = concat(whole, "junk".getBytes(StandardCharsets.US_ASCII));
    ZipException junk =
        assertThrows(
            ZipException.class,
            () -> new GzipMembers(new ByteArrayInputStream(trailing)).readAllBytes());
    assertTrue(String.valueOf(junk.getMessage()).contains("byte " + whole.length), junk.toString());
    byte[] flipped = whole.clone();
    flipped[flipped.length - 6] ^= 1;
    ZipException sum =
        assertThrows(
            ZipException.class,
            () -> new GzipMembers(new ByteArrayInputStream(flipped)).readAllBytes());
    assertTrue(String.valueOf(sum.getMessage()).contains("checksum"), sum.toString());
  }

  @Test
  void linesKeepTheirNumberPlaceAndLimit() throws IOException {
    byte[] text = "ab\r\n\n0123456789\nlast".getBytes(StandardCharsets.US_ASCII);
    LineReader lines = new LineReader(pipe(text), 8);
    assertEquals(LineReader.Kind.LINE, lines.next());
    assertEquals(2, lines.length());
    assertEquals(LineReader.Kind.LINE, lines.next());
    assertEquals(0, lines.length());
    assertEquals(4, lines.offset());
    assertEquals(LineReader.Kind.TOO_LONG, lines.next());
    assertEquals(10, lines.fullLength());
    assertEquals(3, lines.number());
    assertEquals(LineReader.Kind.LINE, lines.next());
    assertEquals("last", new String(lines.array(), 0, 4, StandardCharsets.US_ASCII));
    assertEquals(16, lines.offset());
    assertEquals(LineReader.Kind.END, lines.next());
  }

  /** Reads until the line comes; bounded by the class's timeout. */
  private static String awaitLine(LineReader lines) throws IOException {
    LineReader.Kind kind = lines.next();
    while (kind == LineReader.Kind.IDLE) {
      kind = lines.next();
    }
    assertEquals(LineReader.Kind.LINE, kind);
    return new String(lines.array(), 0, lines.length(), StandardCharsets.UTF_8);
  }

  @Test
  void followingSurvivesRotationAndTruncation(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("app.log"), "one\n");
    AtomicBoolean stop = new AtomicBoolean();
    try (FollowedFile in = new FollowedFile(file, false, stop::get)) {
      LineReader lines = new LineReader(in, 100);
      assertEquals("one", awaitLine(lines));
      assertEquals(LineReader.Kind.IDLE, lines.next());
      Files.writeString(file, "two\nhal", StandardOpenOption.APPEND);
      assertEquals("two", awaitLine(lines));
      assertEquals(LineReader.Kind.IDLE, lines.next());
      Files.writeString(file, "f\n", StandardOpenOption.APPEND);
      assertEquals("half", awaitLine(lines));
      Files.writeString(file, "before rotation\n", StandardOpenOption.APPEND);
      Files.move(file, folder.resolve("app.log.1"));
      Files.writeString(file, "after rotation\n");
      assertEquals("before rotation", awaitLine(lines));
      assertEquals("after rotation", awaitLine(lines));
      Files.writeString(file, "cut\n");
      assertEquals("cut", awaitLine(lines));
      stop.set(true);
      assertEquals(LineReader.Kind.END, lines.next());
    }
  }

  @Test
  void placesAreCountedFromTheBeginningOfEachContent(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("app.log"), "one\nhal");
    AtomicBoolean stop = new AtomicBoolean();
    try (FollowedFile in = new FollowedFile(file, false, stop::get)) {
      LineReader lines = new LineReader(in, 100);
      assertEquals("one", awaitLine(lines));
      Object first = lines.generation().fileKey();
      assertEquals(LineReader.Kind.IDLE, lines.next());
      Files.move(file, folder.resolve("app.log.1"));
      Files.writeString(file, "f\ntwo\n");
      assertEquals("hal", awaitLine(lines), "a line does not reach into the next file");
      assertEquals(4, lines.offset());
      assertEquals(first, lines.generation().fileKey());
      assertEquals("f", awaitLine(lines));
      assertEquals(0, lines.offset());
      assertEquals(1, lines.generation().number());
      assertNotEquals(first, lines.generation().fileKey());
      assertEquals("two", awaitLine(lines));
      assertEquals(2, lines.offset());
      Files.writeString(file, "cut\n");
      assertEquals("cut", awaitLine(lines));
      assertEquals(0, lines.offset());
      assertEquals(2, lines.generation().number());
    }
  }

  @Test
  void fromTheEndSkipsWhatIsThere(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("app.log"), "old\n");
    try (FollowedFile in = new FollowedFile(file, true, () -> false)) {
      LineReader lines = new LineReader(in, 100);
      assertEquals(LineReader.Kind.IDLE, lines.next());
      Files.writeString(file, "new\n", StandardOpenOption.APPEND);
      assertEquals("new", awaitLine(lines));
      assertEquals(4, lines.offset());
    }
  }

  @Test
  void sizesAreReadAsOpenSearchWritesThem() {
    assertEquals(5L << 20, ByteSize.of("5mb").bytes());
    assertEquals(64L << 10, ByteSize.of("64K").bytes());
    assertEquals("64kb", ByteSize.of("65536").toString());
    assertThrows(IllegalArgumentException.class, () -> ByteSize.of("-1"));
  }
}
