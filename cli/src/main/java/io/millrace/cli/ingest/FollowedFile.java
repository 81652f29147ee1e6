package io.millrace.cli.ingest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A file read as {@code tail -F} reads it: at its end it waits; when the name points to another
 * file (rotation) the old one is read to its end first, then the new one from its beginning; when
 * the file became shorter (truncation) it starts again at byte 0.
 *
 * <p>A read returns 0 after a wait without new bytes, so that the caller can send what it has. It
 * ends when {@code stop} says so.
 */
final class FollowedFile extends InputStream {
  private static final long POLL_MILLIS = 200;
  private final Path path;
  private final BooleanSupplier stop;
  private @Nullable SeekableByteChannel channel;
  private @Nullable Object key;

  /**
   * @param fromEnd whether to skip what the file holds now
   */
  FollowedFile(Path path, boolean fromEnd, BooleanSupplier stop) throws IOException {
    this.path = path;
    this.stop = stop;
    SeekableByteChannel opened = open();
    if (opened != null && fromEnd) {
      opened.position(opened.size());
    }
  }

  private @Nullable SeekableByteChannel open() throws IOException {
    try {
      key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      channel = FileChannel.open(path);
    } catch (NoSuchFileException e) {
      channel = null; // between the two steps of a rotation
    }
    return channel;
  }

  @Override
  public int read() throws IOException {
    throw new IOException("read bytes from a followed file in blocks");
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (stop.getAsBoolean()) {
      return -1;
    }
    SeekableByteChannel current = channel == null ? open() : channel;
    if (current != null) {
      int got = current.read(ByteBuffer.wrap(target, offset, length));
      if (got > 0) {
        return got;
      }
      if (current.size() < current.position()) {
        current.position(0);
        return 0;
      }
      if (rotated()) {
        got = current.read(ByteBuffer.wrap(target, offset, length)); // written before the rename
        if (got > 0) {
          return got;
        }
        current.close();
        open();
        return 0;
      }
    }
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
    return 0;
  }

  private boolean rotated() throws IOException {
    try {
      Object now = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      return now != null && !now.equals(key);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
