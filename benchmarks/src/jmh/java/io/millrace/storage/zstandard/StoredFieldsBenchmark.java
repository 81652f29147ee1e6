package io.millrace.storage.zstandard;

import io.millrace.corpus.LogGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.lucene.codecs.compressing.CompressionMode;
import org.apache.lucene.codecs.compressing.Compressor;
import org.apache.lucene.codecs.compressing.Decompressor;
import org.apache.lucene.codecs.lucene90.LZ4WithPresetDictCompressionMode;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.util.BytesRef;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One block of stored fields: writing it, and reading one document out of its middle. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class StoredFieldsBenchmark {
  private static final int DOCUMENT = 355;
  private static final int LZ4_BLOCK = 10 * 8 * 1024; // Lucene90StoredFieldsFormat, BEST_SPEED

  /** lz4 is Lucene's default with its 80 KiB blocks; the others are variants of ours. */
  @Param({"lz4", "zstandard_16k", "zstandard", "zstandard_archive"})
  public String format;

  private byte[] block;
  private byte[] compressed;
  private Compressor compressor;
  private Decompressor decompressor;
  private final BytesRef document = new BytesRef();

  @Setup(Level.Trial)
  public void setUp() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int size = format.equals("lz4") ? LZ4_BLOCK : variant().blockLength();
    LogGenerator generator = new LogGenerator(7);
    while (out.size() < size) {
      out.write(generator.next());
    }
    block = out.toByteArray();
    CompressionMode mode = mode();
    compressor = mode.newCompressor();
    decompressor = mode.newDecompressor();
    compressed = write();
  }

  private ZstandardVariant variant() {
    return Stream.of(ZstandardVariant.values())
        .filter(variant -> variant.alias().equals(format))
        .findFirst()
        .orElseThrow();
  }

  private CompressionMode mode() {
    if (format.equals("lz4")) {
      return new LZ4WithPresetDictCompressionMode();
    }
    ZstandardVariant variant = variant();
    return new ZstandardCompressionMode(
        variant.defaultLevel(),
        variant.blockLength(),
        new DecompressionContexts(4),
        new ZstandardCounters());
  }

  private byte[] write() throws IOException {
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    compressor.compress(new ByteBuffersDataInput(List.of(ByteBuffer.wrap(block))), out);
    return out.toArrayCopy();
  }

  @Benchmark
  public byte[] writeBlock() throws IOException {
    return write();
  }

  @Benchmark
  public int readOneDocument() throws IOException {
    decompressor.decompress(
        new ByteArrayDataInput(compressed), block.length, block.length / 2, DOCUMENT, document);
    return document.length;
  }
}
