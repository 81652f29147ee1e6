package io.millrace.storage.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TimeTieredMergePolicyTest {
  private static final long HOUR = 3_600_000;
  private static final long DAY = 24 * HOUR;

  private long maximum = 1L << 30;
  private ByteBuffersDirectory directory;
  private IndexWriter writer;
  private int ids;

  @BeforeEach
  void open() throws IOException {
    directory = new ByteBuffersDirectory();
    writer =
        new IndexWriter(
            directory,
            new IndexWriterConfig()
                .setMergeScheduler(new SerialMergeScheduler())
                .setMaxFullFlushMergeWaitMillis(0)
                .setMergePolicy(
                    new TimeTieredMergePolicy(
                        new TieredMergePolicy(), "@timestamp", () -> 1L << 20, () -> maximum)));
  }

  @AfterEach
  void close() throws IOException {
    writer.close();
    directory.close();
  }

  /** One segment of 20 documents within a tenth of an hour. */
  private void segment(long from) throws IOException {
    for (int i = 0; i < 20; i++) {
      Document document = new Document();
      document.add(new StringField("id", Integer.toString(ids++), Field.Store.YES));
      if (from >= 0) {
        document.add(new LongPoint("@timestamp", from + i * HOUR / 10 / 19));
      }
      writer.addDocument(document);
    }
    writer.flush();
  }

  private record Times(long from, long to, int documents) {}

  private List<Times> segments() throws IOException {
    List<Times> segments = new ArrayList<>();
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      for (LeafReaderContext leaf : reader.leaves()) {
        var points = leaf.reader().getPointValues("@timestamp");
        segments.add(
            points == null
                ? new Times(-1, -1, leaf.reader().numDocs())
                : new Times(
                    LongPoint.decodeDimension(points.getMinPackedValue(), 0),
                    LongPoint.decodeDimension(points.getMaxPackedValue(), 0),
                    leaf.reader().numDocs()));
      }
    }
    return segments;
  }

  @Test
  void writersOfDifferentDaysAreNotMixed() throws IOException {
    for (int i = 0; i < TimeTieredMergePolicy.WIDTH; i++) {
      segment(i * HOUR / 10);
      segment(100 * DAY + i * HOUR / 10);
    }
    List<Times> segments = segments();
    assertEquals(2, segments.size(), segments::toString);
    for (Times each : segments) {
      assertTrue(each.to() - each.from() <= HOUR, each::toString);
      assertEquals(200, each.documents());
    }
  }

  @Test
  void scatteredSegmentsWaitAndAreThenMergedByTheLeastSpan() throws IOException {
    for (int i = 0; i < TimeTieredMergePolicy.PATIENCE - 1; i++) {
      segment((long) Math.pow(1.6, i * 7 % 29) * DAY);
    }
    assertEquals(TimeTieredMergePolicy.PATIENCE - 1, segments().size());
    segment((long) Math.pow(1.6, 29) * DAY);
    List<Times> segments = segments();
    assertEquals(TimeTieredMergePolicy.PATIENCE - 9, segments.size());
    Times merged =
        segments.stream().filter(each -> each.documents() == 200).findAny().orElseThrow();
    assertEquals(DAY, merged.from());
    assertTrue(merged.to() < 70 * DAY, merged::toString);
  }

  @Test
  void withoutTheFieldNeighboursOfWritingAreMerged() throws IOException {
    for (int i = 0; i < 25; i++) {
      segment(-1);
    }
    assertEquals(7, segments().size());
    assertEquals(500, segments().stream().mapToInt(Times::documents).sum());
  }

  @Test
  void mergesStayBelowTheMaximum() throws IOException {
    segment(0);
    long one;
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      one = reader.leaves().size();
    }
    assertEquals(1, one);
    writer.commit();
    long bytes = 0;
    for (String file : directory.listAll()) {
      bytes += directory.fileLength(file);
    }
    // about seven segments of this size
    maximum = bytes * 7;
    for (int i = 1; i < 30; i++) {
      segment(i * HOUR / 10);
    }
    List<Times> segments = segments();
    assertEquals(600, segments.stream().mapToInt(Times::documents).sum());
    assertTrue(segments.size() < 30, segments::toString);
    writer.commit();
    for (SegmentCommitInfo each : SegmentInfos.readLatestCommit(directory)) {
      assertTrue(each.sizeInBytes() <= maximum, each::toString);
    }
  }

  @Test
  void mostlyDeletedSegmentIsRewritten() throws IOException {
    segment(0);
    segment(DAY);
    for (int i = 0; i < 8; i++) {
      writer.deleteDocuments(new Term("id", Integer.toString(i)));
    }
    writer.flush();
    writer.maybeMerge();
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      assertEquals(2, reader.leaves().size());
      assertEquals(0, reader.numDeletedDocs());
      assertEquals(32, reader.numDocs());
    }
  }

  @Test
  void forcedMergeIsStocks() throws IOException {
    for (int i = 0; i < 5; i++) {
      segment(i * DAY);
    }
    writer.forceMerge(1);
    assertEquals(1, segments().size());
  }
}
