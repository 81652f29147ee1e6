package io.millrace.bench.raw;

import com.fasterxml.jackson.core.JsonFactory;
import io.millrace.bench.json.BenchJson;
import io.millrace.bench.os.IndexFiles;
import io.millrace.bench.os.ProcessCpu;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * The limit of the write path: the same documents through a bare {@code IndexWriter} with
 * StandardAnalyzer in a JVM of its own. No HTTP, no translog, no versions, no routing.
 *
 * <p>Arguments: mapping file, file of bulk bodies, number of bulks for the warm-up, number of bulks
 * to measure, documents per bulk, threads, indexing buffer in MiB, folder for the index. The
 * documents are read into memory before the clock starts; the warm-up fills an index that is thrown
 * away, as for the servers. Prints one line of JSON.
 */
public final class RawLuceneMain {
  private final byte[][] documents;
  private final Map<String, RawFieldWriter> fields;
  private final int perBulk;
  private final int threads;
  private final double bufferMib;

  private RawLuceneMain(
      byte[][] documents,
      Map<String, RawFieldWriter> fields,
      int perBulk,
      int threads,
      double bufferMib) {
    this.documents = documents;
    this.fields = fields;
    this.perBulk = perBulk;
    this.threads = threads;
    this.bufferMib = bufferMib;
  }

  public static void main(String[] args) throws Exception {
    int warmUp = Integer.parseInt(args[2]);
    int bulks = Integer.parseInt(args[3]);
    int perBulk = Integer.parseInt(args[4]);
    Map<String, RawFieldWriter> fields =
        DocumentWriter.compile(BenchJson.parse(Files.readAllBytes(Path.of(args[0]))));
    byte[][] documents = sources(Path.of(args[1]), (long) Math.max(warmUp, bulks) * perBulk);
    RawLuceneMain raw =
        new RawLuceneMain(
            documents, fields, perBulk, Integer.parseInt(args[5]), Double.parseDouble(args[6]));
    Path folder = Path.of(args[7]);
    if (warmUp > 0) {
      raw.index(folder.resolve("warm-up"), warmUp);
    }
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.println(BenchJson.string(raw.index(folder.resolve("measured"), bulks)));
  }

  /** The document lines: every second line of the file. */
  static byte[][] sources(Path bulkFile, long limit) throws IOException {
    List<byte[]> sources = new ArrayList<>();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(bulkFile), 1 << 20)) {
      byte[] line = new byte[1 << 16];
      int length = 0;
      boolean action = true;
      for (int b = in.read(); b >= 0 && sources.size() < limit; b = in.read()) {
        if (b != '\n') {
          if (length == line.length) {
            line = Arrays.copyOf(line, length * 2);
          }
          line[length++] = (byte) b;
          continue;
        }
        if (!action) {
          sources.add(Arrays.copyOf(line, length));
        }
        action = !action;
        length = 0;
      }
    }
    return sources.toArray(byte[][]::new);
  }

  private Map<String, Object> index(Path folder, int bulks)
      throws IOException, InterruptedException, ExecutionException {
    long pid = ProcessHandle.current().pid();
    int end = Math.min(bulks * perBulk, documents.length);
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer()).setRAMBufferSizeMB(bufferMib);
    long start = System.nanoTime();
    ProcessCpu before = ProcessCpu.of(pid);
    ProcessCpu compilers = ProcessCpu.ofCompilers(pid);
    double loaded;
    ProcessCpu afterLoad;
    try (Directory directory = new MMapDirectory(folder)) {
      try (IndexWriter writer = new IndexWriter(directory, config);
          ExecutorService pool = Executors.newFixedThreadPool(threads)) {
        AtomicInteger next = new AtomicInteger();
        List<Future<?>> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          workers.add(pool.submit(() -> work(writer, next, end)));
        }
        for (Future<?> worker : workers) {
          worker.get();
        }
        loaded = (System.nanoTime() - start) / 1e9;
        afterLoad = ProcessCpu.of(pid).minus(before);
        writer.commit();
      } // close waits for the merges, as the servers are left to become quiet
    }
    ProcessCpu cpu = ProcessCpu.of(pid).minus(before);
    ProcessCpu compiled = ProcessCpu.ofCompilers(pid).minus(compilers);
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("documents", end);
    result.put("loadSeconds", loaded);
    result.put("loadCpuMillis", afterLoad.totalMillis());
    result.put("cpuMillis", cpu.totalMillis());
    result.put("compilerCpuMillis", Math.max(0, compiled.totalMillis()));
    result.put("bytesByEnding", IndexFiles.ofFolder(folder));
    return result;
  }

  /**
   * 15 bytes in the order of OpenSearch's TimeBasedUUIDGenerator (3.8.0): the fastest byte of the
   * sequence first, the slow bytes of the time and the node's address in the middle, so that the
   * terms cost what they cost there.
   */
  private static BytesRef id(int sequence) {
    long time = System.currentTimeMillis();
    ByteBuffer id = ByteBuffer.allocate(15);
    id.put((byte) sequence).put((byte) (sequence >>> 16));
    id.put((byte) (time >>> 16)).put((byte) (time >>> 24));
    id.put((byte) (time >>> 32)).put((byte) (time >>> 40));
    id.putInt(0x4d696c6c).putShort((short) 0x7261); // stands for the six bytes of the node
    id.put((byte) (time >>> 8)).put((byte) (sequence >>> 8)).put((byte) time);
    return new BytesRef(id.array());
  }

  private int work(IndexWriter writer, AtomicInteger next, int end) throws IOException {
    DocumentWriter documentWriter = new DocumentWriter(new JsonFactory(), fields);
    int written = 0;
    for (int from = next.getAndAdd(perBulk); from < end; from = next.getAndAdd(perBulk)) {
      for (int i = from; i < Math.min(from + perBulk, end); i++) {
        writer.addDocument(documentWriter.write(documents[i], id(i), i));
        written++;
      }
    }
    return written;
  }
}
