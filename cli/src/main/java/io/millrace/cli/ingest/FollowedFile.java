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
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A file read as {@code tail -F} reads it: at its end it waits; when the name points to another
 * file (rotation) the old one is read to its end first, then the new one from its beginning; when
 * the file became shorter (truncation) it starts again at byte 0. Both begin a new {@link
 * Generation}.
 *
 * <p>A read returns 0 after a wait without new bytes, so that the caller can send what it has. It
 * ends when {@code stop} says so.
 */
final class FollowedFile extends InputStream {
  private static final long POLL_MILLIS = 200;
  private final Path path;
  private final BooleanSupplier stop;
  private @Nullable SeekableByteChannel channel;
  private Generation generation = Generation.ONLY;

  /**
   * @param fromEnd whether to skip what the file holds now
   */
  FollowedFile(Path path, boolean fromEnd, BooleanSupplier stop) throws IOException {
    this.path = path;
    this.stop = stop;
    SeekableByteChannel opened = open(0);
    if (opened != null && fromEnd) {
      opened.position(opened.size());
      generation = new Generation(0, opened.position(), generation.fileKey());
    }
  }

  /** The content that the bytes of the last read belong to. */
  Generation generation() {
    return generation;
  }

  /** Opens what the name points to now; null between the two steps of a rotation. */
  private @Nullable SeekableByteChannel open(int number) throws IOException {
    channel = null;
    try {
      Object before = key();
      SeekableByteChannel opened = FileChannel.open(path);
      if (Objects.equals(before, keyOrNull())) {
        channel = opened;
        generation = new Generation(number, 0, before);
      } else {
        opened.close(); // another file by now: which of the two was opened is not known
      }
    } catch (NoSuchFileException e) {
      return null;
    }
    return channel;
  }

  private @Nullable Object key() throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  private @Nullable Object keyOrNull() throws IOException {
    try {
      return key();
    } catch (NoSuchFileException e) {
      return null;
    }
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
    SeekableByteChannel current = channel == null ? open(generation.number() + 1) : channel;
    if (current != null) {
      int got = current.read(ByteBuffer.wrap(target, offset, length));
      if (got > 0) {
        return got;
      }
      if (current.size() < current.position()) {
        current.position(0);
        generation = new Generation(generation.number() + 1, 0, generation.fileKey());
        return 0;
      }
      if (rotated()) {
        got = current.read(ByteBuffer.wrap(target, offset, length)); // written before the rename
        if (got > 0) {
          return got;
        }
        current.close();
        open(generation.number() + 1);
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
    Object now = keyOrNull();
    return now != null && !now.equals(generation.fileKey());
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
