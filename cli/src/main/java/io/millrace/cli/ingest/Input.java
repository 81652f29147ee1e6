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
   * Checks that a file can be read, before anything is sent.
   *
   * @throws ExpectedFailure with exit code {@link ExitCode#INPUT}, naming the file
   */
  static Input of(String name) {
    if (!name.equals(STDIN)) {
      Path path = Path.of(name);
      if (!Files.exists(path)) {
        throw failure("no such file: " + name, "Nothing was sent. Check the path.");
      }
      if (Files.isDirectory(path)) {
        throw failure(
            name + " is a directory", "Nothing was sent. Name its files: " + name + "/*.log");
      }
      if (!Files.isReadable(path)) {
        throw failure("no permission to read " + name, "Nothing was sent.");
      }
    }
    return new Input(name);
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
    BufferedInputStream in = new BufferedInputStream(new Counting(raw, rawBytes), 1 << 16);
    in.mark(8);
    byte[] magic = in.readNBytes(4);
    in.reset();
    if (isGzip(magic)) {
      return Utf16.decoded(new GzipMembers(in));
    }
    if (isZstd(magic)) {
      return Utf16.decoded(new ZstdInputStream(in));
    }
    return Utf16.decoded(in);
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
