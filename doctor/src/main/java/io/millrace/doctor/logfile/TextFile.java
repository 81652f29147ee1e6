package io.millrace.doctor.logfile;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
    String why = Files.isDirectory(file) ? "it is a folder" : why(e);
    return new ExpectedFailure(ExitCode.INPUT, "cannot read " + file + ": " + why, null, e);
  }

  /** Why a file could not be used, in words: messages of some exceptions are the file's name. */
  public static String why(IOException e) {
    return switch (e) {
      case NoSuchFileException none -> "there is no such file or folder";
      case AccessDeniedException denied -> "no permission";
      case EOFException cut -> "the gzip file ends in the middle";
      case CharacterCodingException coding -> "it is no text in UTF-8";
      case FileSystemException other when other.getReason() != null -> other.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }
}
