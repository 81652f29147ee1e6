package io.millrace.storage.zstandard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.lucene.codecs.compressing.Compressor;
import org.apache.lucene.codecs.compressing.Decompressor;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

class ZstandardDecompressorTest {
  private static final int BLOCK = 32 * 1024;

  private final DecompressionContexts contexts = new DecompressionContexts(2);
  private final ZstandardCounters counters = new ZstandardCounters();
  private final ZstandardCompressionMode mode =
      new ZstandardCompressionMode(3, BLOCK, contexts, counters);

  private static byte[] plain(int length) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] document : LogDocuments.generate(length / 200 + 1, 1)) {
      out.writeBytes(document);
    }
    return Arrays.copyOf(out.toByteArray(), length);
  }

  private byte[] compress(byte[] plain) throws IOException {
    ByteBuffersDataOutput in = new ByteBuffersDataOutput();
    in.writeBytes(plain, plain.length);
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    try (Compressor compressor = mode.newCompressor()) {
      ByteBuffersDataInput block = in.toDataInput();
      compressor.compress(block, out);
    }
    return out.toArrayCopy();
  }

  private byte[] decode(byte[] compressed, int originalLength, int offset, int length)
      throws IOException {
    BytesRef bytes = new BytesRef();
    mode.newDecompressor()
        .decompress(new ByteArrayDataInput(compressed), originalLength, offset, length, bytes);
    return Arrays.copyOfRange(bytes.bytes, bytes.offset, bytes.offset + bytes.length);
  }

  @Test
  void returnsWhatWasCompressedWholeAndInParts() throws IOException {
    for (int length : new int[] {0, 1, 2, 100, BLOCK - 1, BLOCK, 2 * BLOCK - 1}) {
      byte[] plain = plain(length);
      byte[] compressed = compress(plain);
      assertArrayEquals(plain, decode(compressed, length, 0, length));
      int from = length / 3;
      int to = length - length / 4;
      assertArrayEquals(
          Arrays.copyOfRange(plain, from, to), decode(compressed, length, from, to - from));
    }
  }

  @Test
  void everyFlippedBitIsFound() throws IOException {
    byte[] plain = plain(3000);
    byte[] compressed = compress(plain);
    for (int bit = 0; bit < compressed.length * 8; bit++) {
      byte[] damaged = compressed.clone();
      damaged[bit / 8] ^= (byte) (1 << (bit % 8));
      try {
        byte[] back = decode(damaged, plain.length, 10, 100);
        // the one case without harm: a bit that the format does not use
        assertArrayEquals(Arrays.copyOfRange(plain, 10, 110), back, "bit " + bit);
      } catch (CorruptIndexException | EOFException | ArrayIndexOutOfBoundsException e) {
        // ArrayIndexOutOfBounds is ByteArrayDataInput's end of file
        assertTrue(true);
      }
    }
    assertTrue(counters.corruptBlocks.sum() > compressed.length);
  }

  @Test
  void aForgedLengthTakesNoMemory() throws IOException {
    byte[] plain = plain(3000);
    byte[] compressed = compress(plain);
    assertThrows(CorruptIndexException.class, () -> decode(compressed, Integer.MAX_VALUE, 0, 10));
    assertThrows(CorruptIndexException.class, () -> decode(compressed, 2 * BLOCK + 1, 0, 10));
    assertThrows(CorruptIndexException.class, () -> decode(compressed, plain.length - 1, 0, 10));
    assertThrows(CorruptIndexException.class, () -> decode(compressed, plain.length + 1, 0, 10));
    byte[] hugeFrame = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07, 1, 2, 3};
    CorruptIndexException e =
        assertThrows(CorruptIndexException.class, () -> decode(hugeFrame, 3000, 0, 10));
    assertTrue(e.getMessage().contains("zstandard block is damaged"), e.getMessage());
  }

  @Test
  void neighboursComeFromOneDecodedBlock() throws IOException {
    byte[] first = plain(5000);
    byte[] second = plain(7000);
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
      long secondAt;
      try (IndexOutput out = directory.createOutput("f", IOContext.DEFAULT)) {
        byte[] compressed = compress(first);
        out.writeBytes(compressed, compressed.length);
        secondAt = out.getFilePointer();
        compressed = compress(second);
        out.writeBytes(compressed, compressed.length);
      }
      try (IndexInput in = directory.openInput("f", IOContext.DEFAULT)) {
        Decompressor decompressor = mode.newDecompressor();
        BytesRef bytes = new BytesRef();
        for (int offset = 0; offset < 4900; offset += 100) {
          in.seek(0);
          decompressor.decompress(in, 5000, offset, 100, bytes);
          assertEquals(new BytesRef(first, offset, 100), bytes);
          assertEquals(secondAt, in.getFilePointer());
        }
        assertEquals(1, counters.decompressedBlocks.sum());
        assertEquals(48, counters.blockReuses.sum());
        decompressor.decompress(in, 7000, 6000, 100, bytes);
        assertEquals(new BytesRef(second, 6000, 100), bytes);
        // a whole block never lands in the array that is kept
        byte[] kept = bytes.bytes;
        in.seek(0);
        decompressor.decompress(in, 5000, 0, 5000, bytes);
        assertEquals(new BytesRef(first), bytes);
        assertTrue(kept != bytes.bytes);
        in.seek(secondAt);
        decompressor.decompress(in, 7000, 1, 10, bytes);
        assertEquals(new BytesRef(second, 1, 10), bytes);
        assertEquals(49, counters.blockReuses.sum());
      }
    }
  }

  @Test
  void contextsAreSharedAndBounded() throws Exception {
    byte[] plain = plain(20_000);
    byte[] compressed = compress(plain);
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<Boolean>> reads =
          IntStream.range(0, 400)
              .mapToObj(i ->
                  threads.submit(() ->
                      Arrays.equals(
                          Arrays.copyOfRange(plain, i, i + 50),
                          decode(compressed, plain.length, i, 50))))
              .toList();
      for (Future<Boolean> read : reads) {
        assertTrue(read.get());
      }
    }
    assertTrue(contexts.idle() >= 1 && contexts.idle() <= 2, "idle " + contexts.idle());
  }
}
