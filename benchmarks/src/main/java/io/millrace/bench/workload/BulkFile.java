package io.millrace.bench.workload;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Bulk bodies made once and written to a file: every side and every round sends the same bytes, and
 * the load generator does nothing but read and send. The action lines name no index, so that one
 * file serves every index ({@code POST /<index>/_bulk}).
 */
public final class BulkFile implements Closeable {
  private static final byte[] INDEX = "{\"index\":{}}\n".getBytes(StandardCharsets.UTF_8);

  private final FileChannel channel;
  private final long[] offsets; // offsets[i] .. offsets[i + 1] is body i
  private final int[] counts;
  private final long documents;

  private BulkFile(FileChannel channel, long[] offsets, int[] counts) {
    this.channel = channel;
    this.offsets = offsets;
    this.counts = counts;
    this.documents = Arrays.stream(counts).asLongStream().sum();
  }

  /**
   * Writes {@code count} documents as bodies of {@code perBulk} each.
   *
   * @param progress told the number of documents written so far, once per bulk
   */
  public static BulkFile write(
      Path file, Iterator<Document> source, long count, int perBulk, LongConsumer progress)
      throws IOException {
    if (count < 1 || perBulk < 1) {
      throw new IllegalArgumentException("at least one document and one per bulk");
    }
    int bulks = Math.toIntExact((count + perBulk - 1) / perBulk);
    long[] offsets = new long[bulks + 1];
    int[] counts = new int[bulks];
    long written = 0;
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      for (int bulk = 0; bulk < bulks; bulk++) {
        long length = 0;
        int here = (int) Math.min(perBulk, count - written);
        for (int i = 0; i < here; i++) {
          Document document = source.next();
          byte[] action = action(document);
          out.write(action);
          out.write(document.source());
          out.write('\n');
          length += action.length + document.source().length + 1L;
        }
        written += here;
        counts[bulk] = here;
        offsets[bulk + 1] = offsets[bulk] + length;
        progress.accept(written);
      }
    }
    return new BulkFile(FileChannel.open(file, StandardOpenOption.READ), offsets, counts);
  }

  private static byte[] action(Document document) {
    if (document.id() == null) {
      return INDEX;
    }
    return ("{\"index\":{\"_id\":\"" + document.id() + "\"}}\n").getBytes(StandardCharsets.UTF_8);
  }

  /** The number of bodies. */
  public int bulks() {
    return counts.length;
  }

  /** The number of documents in all bodies, re-sent ones included. */
  public long documents() {
    return documents;
  }

  /** The number of documents in the bodies {@code from} (inclusive) to {@code to} (exclusive). */
  public long documents(int from, int to) {
    return Arrays.stream(counts, from, to).asLongStream().sum();
  }

  /** The number of bytes of all bodies. */
  public long bytes() {
    return offsets[offsets.length - 1];
  }

  /** One body; safe for several threads. */
  public byte[] body(int bulk) throws IOException {
    byte[] body = new byte[Math.toIntExact(offsets[bulk + 1] - offsets[bulk])];
    ByteBuffer buffer = ByteBuffer.wrap(body);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, offsets[bulk] + buffer.position()) < 0) {
        throw new IOException("the file of bulk bodies was cut while it was in use");
      }
    }
    return body;
  }

  /** About {@code count} sources, evenly spread over all bodies. */
  public List<byte[]> sample(int count) throws IOException {
    int step = Math.max(1, bulks() * 10 / Math.max(10, count)); // ten of every step-th body
    List<byte[]> sources = new ArrayList<>();
    for (int bulk = 0; bulk < bulks(); bulk += step) {
      String[] lines = new String(body(bulk), StandardCharsets.UTF_8).split("\n");
      int every = Math.max(1, counts[bulk] / 10);
      for (int i = 0; i < counts[bulk]; i += every) {
        sources.add(lines[2 * i + 1].getBytes(StandardCharsets.UTF_8));
      }
    }
    return sources;
  }

  /** Writes every document as a line of a file, without the actions. */
  public void writeSources(Path to) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(to), 1 << 20)) {
      for (int bulk = 0; bulk < bulks(); bulk++) {
        out.write(sources(bulk));
      }
    }
  }

  /** The documents of one body, a line each, without the actions; safe for several threads. */
  public byte[] sources(int bulk) throws IOException {
    byte[] body = body(bulk);
    ByteArrayOutputStream out = new ByteArrayOutputStream(body.length);
    boolean source = false;
    int from = 0;
    for (int i = 0; i < body.length; i++) {
      if (body[i] == '\n') {
        if (source) {
          out.write(body, from, i + 1 - from);
        }
        source = !source;
        from = i + 1;
      }
    }
    return out.toByteArray();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
