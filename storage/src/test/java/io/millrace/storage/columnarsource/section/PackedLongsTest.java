package io.millrace.storage.columnarsource.section;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.zstandard.DecompressionContexts;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is packed is read back, in any order, from every width and with exceptions. */
class PackedLongsTest {
  @Test
  void packedLongsOfEveryWidth() {
    Random random = new Random(1);
    try (SectionWriter block = new SectionWriter(1)) {
      for (int bits = 0; bits <= 64; bits++) {
        for (int large = 0; large < 3; large++) {
          int count = 1 + random.nextInt(300);
          long[] values = new long[count];
          long base = random.nextLong();
          for (int i = 0; i < count; i++) {
            long value = bits == 0 ? 0 : random.nextLong() >>> 64 - bits;
            values[i] = base + (random.nextInt(100) < large ? random.nextLong() : value);
          }
          block.reset();
          PackedLongs.write(
              values, count, PackedLongs.plan(values, count), block.directory, block.packed);
          ByteSink body = new ByteSink(64);
          block.body(body);
          body.ensure(8);
          SectionReader sections = new SectionReader(new DecompressionContexts(1));
          sections.open(body.bytes, 0, body.length, null, 0);
          PackedLongs read = PackedLongs.read(sections.directory, sections, count);
          for (int i = 0; i < count; i++) {
            assertEquals(values[i], read.get(sections, i));
          }
        }
      }
    }
  }
}
