package io.millrace.storage.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TimeTieredMergePolicyTest {
  private static final long HOUR = 3_600_000;
  private static final long DAY = 24 * HOUR;

  private long maximum = 1L << 29;
  private ByteBuffersDirectory directory;
  private IndexWriter writer;
  private int ids;
  private final Random random = new Random(3);

  /** Of each document, for tests in which bytes count. */
  private byte[] payload = {};

  private final CountingScheduler scheduler = new CountingScheduler();

  /** Counts what merges write. */
  private static final class CountingScheduler extends MergeScheduler {
    private long bytes;
    private int merges;

    @Override
    public void merge(MergeSource source, MergeTrigger trigger) throws IOException {
      for (MergePolicy.OneMerge merge = source.getNextMerge();
          merge != null;
          merge = source.getNextMerge()) {
        source.merge(merge);
        bytes += merge.getMergeInfo().sizeInBytes();
        merges++;
      }
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void open() throws IOException {
    open(
        new TimeTieredMergePolicy(
            new TieredMergePolicy(), "@timestamp", () -> 1L << 20, () -> maximum));
  }

  private void open(MergePolicy policy) throws IOException {
    directory = new ByteBuffersDirectory();
    scheduler.bytes = 0;
    scheduler.merges = 0;
    writer =
        new IndexWriter(
            directory,
            new IndexWriterConfig()
                .setMergeScheduler(scheduler)
                .setMaxFullFlushMergeWaitMillis(0)
                .setMergePolicy(policy));
  }

  private long bytes() throws IOException {
    writer.commit();
    return SegmentInfos.readLatestCommit(directory).asList().stream()
        .mapToLong(each -> {
          try {
            return each.sizeInBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        })
        .sum();
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
      if (payload.length > 0) {
        random.nextBytes(payload);
        document.add(new StoredField("payload", payload));
      }
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
    long bytes = bytes();
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
  void segmentsOfTheLastClassAreWrittenOnce() throws IOException {
    payload = new byte[500];
    segment(0);
    maximum = bytes() * 20;
    for (int i = 1; i < 18; i++) {
      segment(i * HOUR / 10);
    }
    assertEquals(0, scheduler.merges);
    for (int i = 18; i < 24; i++) {
      segment(i * HOUR / 10);
    }
    assertEquals(1, scheduler.merges);
    assertTrue(segments().size() < 8, segments()::toString);
    writer.commit();
    long largest = 0;
    for (SegmentCommitInfo each : SegmentInfos.readLatestCommit(directory)) {
      largest = Math.max(largest, each.sizeInBytes());
    }
    assertTrue(largest > maximum / 2 && largest <= maximum, largest + " of " + maximum);
  }

  @Test
  void tinySegmentsFillTheLastClassByThirty() throws IOException {
    segment(0);
    // just above the last class's limit: fifty would fit, thirty are merged
    maximum = bytes() * 48;
    for (int i = 1; i < TimeTieredMergePolicy.MOST - 1; i++) {
      segment(i * HOUR / 10);
    }
    assertEquals(0, scheduler.merges);
    segment(TimeTieredMergePolicy.MOST * HOUR / 10);
    assertEquals(1, scheduler.merges);
    assertEquals(1, segments().size());
  }

  /** In the order of time, by the ratio of the maximum to a flush. */
  @Test
  void eachDocumentIsRewrittenOncePerClass() throws IOException {
    payload = new byte[500];
    segment(0);
    long flush = bytes();
    for (int ratio : new int[] {40, 130, 260}) {
      maximum = flush * ratio;
      close();
      open(
          new TimeTieredMergePolicy(
              new TieredMergePolicy(), "@timestamp", () -> flush / 2, () -> maximum));
      int segments = 3 * ratio;
      double rewrites = (double) merged(segments) / (segments * flush);
      assertTrue(rewrites <= (ratio < TimeTieredMergePolicy.LAST ? 1 : 2), ratio + ": " + rewrites);
    }
  }

  private long merged(int segments) throws IOException {
    for (int i = 0; i < segments; i++) {
      segment(i * HOUR / 10);
    }
    return scheduler.bytes;
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
