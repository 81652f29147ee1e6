package io.millrace.write.logtext;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opensearch.core.common.breaker.CircuitBreaker;

/** What the cache leaves behind at segments that stay open, and at ones that close. */
class TemplateCacheTest {
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private DirectoryReader reader;

  @BeforeEach
  void index() throws IOException {
    FieldType type = new FieldType();
    type.setIndexOptions(IndexOptions.DOCS);
    type.setTokenized(true);
    TemplateSketch a = new TemplateSketch();
    TemplateSketch b = new TemplateSketch();
    try (IndexWriter writer =
        new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
      for (int i = 0; i < 10; i++) {
        Document document = new Document();
        document.add(new LogTextField("a", "session opened for user u" + i, type, a));
        document.add(new LogTextField("b", "session closed for user u" + i, type, b));
        writer.addDocument(document);
      }
    }
    reader = DirectoryReader.open(directory);
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    directory.close();
  }

  /** A segment that keeps its listeners in a list, so that they can be counted and called. */
  private static final class Segment extends FilterLeafReader {
    private final List<IndexReader.ClosedListener> listeners = new ArrayList<>();
    private boolean closed;

    Segment(LeafReader in) {
      super(in);
    }

    void closeCore() throws IOException {
      closed = true;
      for (IndexReader.ClosedListener listener : listeners) {
        listener.onClose(in.getCoreCacheHelper().getKey());
      }
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return new CacheHelper() {
        @Override
        public CacheKey getKey() {
          return in.getCoreCacheHelper().getKey();
        }

        @Override
        public void addClosedListener(IndexReader.ClosedListener listener) {
          if (closed) {
            throw new AlreadyClosedException("segment");
          }
          listeners.add(listener);
        }
      };
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }

  private Segment segment() {
    return new Segment(reader.leaves().get(0).reader());
  }

  /** The bytes of one of the two dictionaries, which are alike. */
  private long one() throws IOException {
    TemplateDictionary read = new TemplateCache(1 << 20).get(segment(), "a");
    assertEquals(1, read == null ? 0 : read.templates.length);
    return read == null ? 0 : read.bytes();
  }

  @Test
  void readingAgainAfterEvictionsAddsNoListener() throws IOException {
    TemplateCache cache = new TemplateCache(one() * 3 / 2);
    Segment segment = segment();
    for (int i = 0; i < 100; i++) {
      cache.get(segment, "a");
      cache.get(segment, "b");
    }
    assertTrue(cache.evictions.sum() > 100, "evictions " + cache.evictions);
    assertEquals(1, segment.listeners.size());
    assertEquals(1, cache.segments());
  }

  @Test
  void closingTakesEveryFieldOfTheSegment() throws IOException {
    TemplateCache cache = new TemplateCache(1 << 20);
    Segment segment = segment();
    cache.get(segment, "a");
    cache.get(segment, "b");
    assertEquals(2, cache.templates());
    assertEquals(1, segment.listeners.size());
    segment.closeCore();
    assertEquals(0, cache.bytes());
    assertEquals(0, cache.templates());
    assertEquals(0, cache.segments());
  }

  @Test
  void nothingStaysOfASegmentThatIsClosedAlready() throws IOException {
    TemplateCache cache = new TemplateCache(1 << 20);
    Segment segment = segment();
    segment.closeCore();
    assertThrows(AlreadyClosedException.class, () -> cache.get(segment, "a"));
    assertEquals(0, cache.bytes());
    assertEquals(0, cache.templates());
    assertEquals(0, cache.segments());
  }

  @Test
  void whatPassesTheBoundAddsNoListener() throws IOException {
    TemplateCache cache = new TemplateCache(1);
    Segment segment = segment();
    cache.get(segment, "a");
    assertEquals(0, segment.listeners.size());
    assertEquals(0, cache.segments());
  }

  @Test
  void whatIsHeldIsCountedInTheBreakerAndNothingElse() throws IOException {
    TemplateCache cache = new TemplateCache(one() * 3 / 2);
    CircuitBreaker breaker = LogTextMemoryTest.breaker("64mb");
    cache.count(breaker);
    Segment segment = segment();
    cache.get(segment, "a");
    assertEquals(one(), breaker.getUsed());
    cache.get(segment, "b"); // takes the room of the other
    assertEquals(cache.bytes(), breaker.getUsed());
    cache.limit(1);
    assertEquals(0, breaker.getUsed());
    cache.limit(1 << 20);
    cache.get(segment, "a");
    segment.closeCore();
    assertEquals(0, breaker.getUsed());
  }

  @Test
  void aFullBreakerLeavesADictionaryToEachQuery() throws IOException {
    TemplateCache cache = new TemplateCache(1 << 20);
    cache.count(LogTextMemoryTest.breaker("1b"));
    Segment segment = segment();
    for (int i = 1; i <= 3; i++) {
      TemplateDictionary read = cache.get(segment, "a");
      assertEquals(1, read == null ? 0 : read.templates.length);
      assertEquals(i, cache.reads.sum());
    }
    assertEquals(0, cache.bytes());
  }

  private static TermDigest digest(int tokens) {
    TermDigest.Builder builder = new TermDigest.Builder();
    for (int i = 0; i < tokens; i++) {
      builder.add(new BytesRef("token" + (10_000 + i)));
    }
    return Objects.requireNonNull(builder.build());
  }

  private TemplateDictionary dictionary(TemplateCache cache, Segment segment, String field)
      throws IOException {
    return Objects.requireNonNull(cache.get(segment, field));
  }

  @Test
  void aDigestTakesWhatRoomIsLeftAndGoesFirst() throws IOException {
    TermDigest digest = digest(200);
    TemplateCache cache = new TemplateCache(2 * one() + digest.bytes());
    CircuitBreaker breaker = LogTextMemoryTest.breaker("64mb");
    cache.count(breaker);
    Segment segment = segment();
    TemplateDictionary a = dictionary(cache, segment, "a");
    assertTrue(cache.mayKeep(a, 200));
    assertFalse(cache.mayKeep(a, 200_000), "of a segment with too many tokens");
    cache.keep(a, digest);
    cache.keep(a, digest);
    assertEquals(one() + digest.bytes(), cache.bytes());
    TemplateDictionary b = dictionary(cache, segment, "b");
    cache.keep(b, digest); // has no room
    assertNull(b.digest());
    assertEquals(2 * one() + digest.bytes(), breaker.getUsed());
    cache.limit(2 * one());
    assertNull(a.digest());
    assertEquals(2, cache.templates());
    assertEquals(2 * one(), breaker.getUsed());
    segment.closeCore();
    assertEquals(0, breaker.getUsed());
  }

  @Test
  void aDigestGoesWithItsSegment() throws IOException {
    TemplateCache cache = new TemplateCache(1 << 20);
    CircuitBreaker breaker = LogTextMemoryTest.breaker("64mb");
    cache.count(breaker);
    Segment segment = segment();
    TemplateDictionary a = dictionary(cache, segment, "a");
    cache.keep(a, digest(200));
    assertTrue(a.digest() != null);
    segment.closeCore();
    assertEquals(0, cache.bytes());
    assertEquals(0, breaker.getUsed());
    cache.keep(a, digest(200)); // made by a search that is still running
    assertEquals(0, cache.bytes());
    assertEquals(0, breaker.getUsed());
  }

  @Test
  void aFullBreakerKeepsNoDigest() throws IOException {
    TermDigest digest = digest(20_000);
    TemplateCache cache = new TemplateCache(1 << 20);
    CircuitBreaker breaker = LogTextMemoryTest.breaker((one() + 100) + "b");
    cache.count(breaker);
    TemplateDictionary a = dictionary(cache, segment(), "a");
    cache.keep(a, digest);
    assertNull(a.digest());
    assertEquals(one(), breaker.getUsed());
  }
}
