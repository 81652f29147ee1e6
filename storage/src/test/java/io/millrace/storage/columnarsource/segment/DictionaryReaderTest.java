package io.millrace.storage.columnarsource.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.StringHelper;
import org.apache.lucene.util.Version;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every text is found from the few places that are held, and shapes keep to their room. */
class DictionaryReaderTest {
  private static final int SHAPES = 200;
  private static final int TEMPLATES = 1_000;

  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private IndexInput in;

  private static byte[] shape(int i) {
    return ("{\"k" + i + "\":" + "x".repeat(i % 150) + "}").getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] template(int i) {
    return ("template " + i + " ".repeat(i % 300)).getBytes(StandardCharsets.UTF_8);
  }

  @BeforeEach
  void write() throws IOException {
    SegmentDictionary dictionary = new SegmentDictionary();
    for (int i = 0; i < SHAPES; i++) {
      byte[] text = shape(i);
      assertEquals(
          i + SegmentDictionary.FIRST_SHAPE, dictionary.shape(text, 0, text.length), "shape " + i);
    }
    for (int i = 0; i < TEMPLATES; i++) {
      byte[] text = template(i);
      assertEquals(i, dictionary.copiedTemplate(text, 0, text.length));
    }
    try (IndexOutput out = directory.createOutput("meta", IOContext.DEFAULT)) {
      SegmentLayout.write(out, 1, new int[] {1}, new long[] {10}, 1, dictionary);
      CodecUtil.writeFooter(out);
    }
    in = directory.openInput("meta", IOContext.DEFAULT);
  }

  @AfterEach
  void close() throws IOException {
    in.close();
    directory.close();
  }

  private SegmentLayout layout(ShapeBudget budget) throws IOException {
    in.seek(0);
    SegmentInfo segment =
        new SegmentInfo(
            directory,
            Version.LATEST,
            Version.LATEST,
            "_0",
            1,
            false,
            false,
            new Lucene104Codec(),
            Map.of(),
            StringHelper.randomId(),
            Map.of(),
            null);
    return SegmentLayout.read(in, segment, 0, budget);
  }

  private DictionaryReader reader(SegmentLayout layout) throws IOException {
    return new DictionaryReader(
        layout.dictionary(),
        in.randomAccessSlice(layout.dictionaryStart(), layout.dictionaryLength()));
  }

  private void assertAllFound(DictionaryReader reader) throws IOException {
    for (int i = SHAPES - 1; i >= 0; i--) {
      assertArrayEquals(shape(i), reader.shape(i));
    }
    for (int i = 0; i < TEMPLATES; i++) {
      ByteSink out = new ByteSink(8);
      out.writeByte('!');
      reader.template(i, out);
      assertArrayEquals(template(i), Arrays.copyOfRange(out.bytes, 1, out.length));
    }
  }

  @Test
  void everyTextIsFound() throws IOException {
    DictionaryReader reader = reader(layout(new ShapeBudget(1 << 20)));
    assertEquals(SHAPES, reader.shapeCount());
    assertEquals(TEMPLATES, reader.templateCount());
    assertAllFound(reader);
    assertThrows(IndexOutOfBoundsException.class, () -> reader.shape(SHAPES));
    assertThrows(
        IndexOutOfBoundsException.class, () -> reader.template(TEMPLATES, new ByteSink(8)));
  }

  @Test
  void shapesOfAllSegmentsKeepToOneBudget() throws IOException {
    ShapeBudget budget = new ShapeBudget(2_000);
    SegmentLayout one = layout(budget);
    SegmentLayout two = layout(budget);
    for (SegmentLayout layout : new SegmentLayout[] {one, two, one}) {
      assertAllFound(reader(layout));
      assertTrue(budget.held() <= 2_000, "held " + budget.held());
    }
    assertTrue(budget.held() > 1_000, "held " + budget.held());
    byte[] first = reader(one).shape(SHAPES - 1);
    assertSame(first, reader(one).shape(SHAPES - 1), "what is held is not read again");
    one.dictionary().close();
    two.dictionary().close();
    assertEquals(0, budget.held());
    assertAllFound(reader(one)); // a merge may still read it
    assertEquals(0, budget.held());
  }
}
