package io.millrace.storage.columnarsource.block;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.columnarsource.segment.SegmentDictionary;
import java.nio.charset.StandardCharsets;
import org.apache.lucene.tests.util.RamUsageTester;
import org.junit.jupiter.api.Test;

class BlockBuilderTest {
  /** Lucene flushes by what a writer says it holds: it must not hold much more. */
  @Test
  void holdsNoMoreThanItSaysAfterLargeDocumentsOfManyShapes() {
    int large = 4 << 20;
    try (BlockBuilder builder = new BlockBuilder(new SegmentDictionary(), 1)) {
      ByteSink block = new ByteSink(1 << 20);
      for (int i = 0; i < 24; i++) {
        byte[] document =
            ("{\"page_" + i + "\":\"" + "x".repeat(large) + "\"}").getBytes(StandardCharsets.UTF_8);
        builder.add(document, 0, document.length);
        block.reset(1 << 20);
        builder.encode(block);
      }
      long held = RamUsageTester.ramUsed(builder);
      assertTrue(
          held < builder.ramBytesUsed() + large,
          held + " held, " + builder.ramBytesUsed() + " told");
    }
  }
}
