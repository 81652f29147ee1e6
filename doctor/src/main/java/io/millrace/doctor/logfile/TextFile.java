package io.millrace.doctor.logfile;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** A text file of any size, plain or gzipped by its first bytes; broken characters are replaced. */
public final class TextFile {
  private TextFile() {}

  public static BufferedReader open(Path file) throws IOException {
    InputStream in = new java.io.BufferedInputStream(Files.newInputStream(file), 1 << 16);
    try {
      in.mark(2);
      boolean zipped = in.read() == 0x1f && in.read() == 0x8b;
      in.reset();
      // a reader of this kind replaces what is no UTF-8 instead of failing
      return new BufferedReader(
          new InputStreamReader(zipped ? new GZIPInputStream(in) : in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /** The failure that names the file. */
  public static ExpectedFailure unreadable(Path file, IOException e) {
    String why =
        e instanceof java.nio.file.NoSuchFileException
            ? "no such file"
            : String.valueOf(e.getMessage());
    return new ExpectedFailure(ExitCode.INPUT, "cannot read " + file + ": " + why, null, e);
  }
}
