package io.millrace.cli.ingest;

import com.github.luben.zstd.ZstdInputStream;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One thing to read: a file or standard input, decompressed when its first bytes say gzip or zstd
 * (whatever its name says).
 */
final class Input {
  /** The name that means standard input. */
  static final String STDIN = "-";

  private final String name;

  private Input(String name) {
    this.name = name;
  }

  /**
   * An input that exists; {@link #unfit} says whether it can be read.
   *
   * @throws ExpectedFailure with exit code {@link ExitCode#INPUT}, naming the file
   */
  static Input of(String name) {
    if (!name.equals(STDIN) && !Files.exists(Path.of(name))) {
      throw failure("no such file: " + name, "Nothing was sent. Check the path.");
    }
    return new Input(name);
  }

  /**
   * Why an input holds no lines to read.
   *
   * @param why to stand behind "is" or in brackets
   * @param remedy what to do instead, or null
   */
  record Unfit(String name, String why, @Nullable String remedy) {}

  /** What is known of a file before anything is sent; null where nothing speaks against it. */
  @Nullable Unfit unfit() {
    if (name.equals(STDIN)) {
      return null; // looked at when it is opened: nothing may have come yet
    }
    Path path = Path.of(name);
    if (Files.isDirectory(path)) {
      return new Unfit(name, "a directory", "Name its files: " + name + "/*.log");
    }
    if (!Files.isReadable(path)) {
      return new Unfit(name, "not readable for this user", null);
    }
    if (!Files.isRegularFile(path)) {
      return null; // a pipe gives its bytes once
    }
    try (InputStream in = text(new BufferedInputStream(Files.newInputStream(path), 1 << 13))) {
      NotText other = NotText.in(in, name);
      return other == null ? null : new Unfit(name, other.what(), other.remedy());
    } catch (IOException e) {
      return null; // reading says it with its place
    }
  }

  private static ExpectedFailure failure(String message, String remedy) {
    return new ExpectedFailure(ExitCode.INPUT, message, remedy);
  }

  String name() {
    return name.equals(STDIN) ? "standard input" : name;
  }

  boolean isFile() {
    return !name.equals(STDIN) && Files.isRegularFile(Path.of(name));
  }

  /** Compressed size of a regular file in bytes, or -1 when unknown. */
  long size() {
    try {
      return isFile() ? Files.size(Path.of(name)) : -1;
    } catch (IOException e) {
      return -1;
    }
  }

  /** When the content was last written, milliseconds since 1970: the year of lines without one. */
  long writtenMillis(long now) {
    try {
      return isFile() ? Files.getLastModifiedTime(Path.of(name)).toMillis() : now;
    } catch (IOException e) {
      return now;
    }
  }

  /** A name that stays the same from run to run, for document ids. */
  String identity() {
    return name.equals(STDIN) ? name : Path.of(name).toAbsolutePath().normalize().toString();
  }

  /**
   * Opens the stream.
   *
   * @param rawBytes counts bytes as they are in the file, before decompression
   */
  InputStream open(LongAdder rawBytes) throws IOException {
    InputStream raw = name.equals(STDIN) ? System.in : Files.newInputStream(Path.of(name));
    InputStream text = text(new BufferedInputStream(new Counting(raw, rawBytes), 1 << 16));
    NotText other = isFile() ? null : NotText.in(text, name);
    if (other != null) {
      text.close();
      throw failure(
          name() + " is " + other.what(),
          other.remedy() == null ? "Nothing of it was sent." : other.remedy());
    }
    return text;
  }

  /** The text of a stream, which can be marked. */
  private static InputStream text(BufferedInputStream in) throws IOException {
    in.mark(8);
    byte[] magic = in.readNBytes(4);
    in.reset();
    InputStream plain =
        isGzip(magic) ? new GzipMembers(in) : isZstd(magic) ? new ZstdInputStream(in) : in;
    return new BufferedInputStream(Utf16.decoded(plain), 1 << 13);
  }

  /** Opens the file to be followed; compressed files cannot be. */
  InputStream follow(boolean fromEnd, BooleanSupplier stop) throws IOException {
    Path path = Path.of(name);
    try (InputStream in = Files.newInputStream(path)) {
      byte[] magic = in.readNBytes(4);
      if (Utf16.of(magic) != null) {
        throw failure(name + " is UTF-16 and cannot be followed", "Ingest it without --follow.");
      }
      if (isGzip(magic) || isZstd(magic)) {
        throw failure(
            name + " is compressed and cannot be followed", "Ingest it without --follow.");
      }
    }
    return new FollowedFile(path, fromEnd, stop);
  }

  private static boolean isGzip(byte[] magic) {
    return magic.length >= 2 && (magic[0] & 0xff) == 0x1f && (magic[1] & 0xff) == 0x8b;
  }

  private static boolean isZstd(byte[] magic) {
    return magic.length == 4
        && magic[0] == 0x28
        && (magic[1] & 0xff) == 0xb5
        && magic[2] == 0x2f
        && (magic[3] & 0xff) == 0xfd;
  }

  private static final class Counting extends FilterInputStream {
    private final LongAdder bytes;

    Counting(InputStream in, LongAdder bytes) {
      super(in);
      this.bytes = bytes;
    }

    @Override
    public int read() throws IOException {
      int b = super.read();
      if (b >= 0) {
        bytes.increment();
      }
      return b;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int got = super.read(target, offset, length);
      if (got > 0) {
        bytes.add(got);
      }
      return got;
    }
  }
}
