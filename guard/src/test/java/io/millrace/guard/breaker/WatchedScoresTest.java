package io.millrace.guard.breaker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryRescorer;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;

class WatchedScoresTest {
  private static final int DOCUMENTS = 200;

  private int looks;
  private int end = Integer.MAX_VALUE;

  private void look() {
    if (++looks > end) {
      throw new IllegalStateException("stopped");
    }
  }

  private interface Work {
    void on(IndexSearcher searcher) throws IOException;
  }

  private static void with(Work work) throws IOException {
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      for (int i = 0; i < DOCUMENTS; i++) {
        Document document = new Document();
        document.add(new StringField("w", i % 3 == 0 ? "a" : "b", Field.Store.NO));
        writer.addDocument(document);
      }
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        work.on(new IndexSearcher(reader));
      }
    }
  }

  private static TopDocs again(IndexSearcher searcher, Query query) throws IOException {
    return QueryRescorer.rescore(
        searcher, searcher.search(new MatchAllDocsQuery(), DOCUMENTS), query, 2, DOCUMENTS);
  }

  private static float[][] found(TopDocs hits) {
    return Arrays.stream(hits.scoreDocs)
        .map(hit -> new float[] {hit.doc, hit.score})
        .toArray(float[][]::new);
  }

  @Test
  void theSameHitsWithALookAtEach() throws IOException {
    with(searcher -> {
      Query query = new TermQuery(new Term("w", "a"));
      float[][] watched = found(again(searcher, new WatchedScores(query, this::look)));
      assertArrayEquals(found(again(searcher, query)), watched);
      assertEquals(67, looks);
    });
  }

  @Test
  void aStoppedOneEndsThere() throws IOException {
    end = 10;
    with(searcher -> {
      Query query = new WatchedScores(new TermQuery(new Term("w", "a")), this::look);
      assertThrows(IllegalStateException.class, () -> again(searcher, query));
      assertEquals(11, looks);
    });
  }
}
