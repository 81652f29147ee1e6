package io.millrace.write.logtext;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.search.Weight;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a query on a segment with many tokens keeps, and that it finds the same. */
class TokenQueryMemoryTest {
  private static final int DOCUMENTS = 3_000;

  private final AtomicInteger remembered = new AtomicInteger();
  private final AtomicInteger enumerations = new AtomicInteger();
  private final TemplateCache cache = new TemplateCache(16L << 20);
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private DirectoryReader reader;

  /** One segment: {@code m} as log_text, {@code tokens} with every token's postings. */
  @BeforeEach
  void index() throws IOException {
    FieldType type = new FieldType();
    type.setIndexOptions(IndexOptions.DOCS);
    type.setOmitNorms(true);
    type.setTokenized(true);
    TemplateSketch sketch = new TemplateSketch();
    try (IndexWriter writer =
        new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
      for (int i = 0; i < DOCUMENTS; i++) {
        String message =
            i % 3 == 0
                ? "user u" + i + " logged in"
                : "kind" + "abcdefghijklmnopqrstuvwxyz".charAt(i % 26) + " took x" + i % 1_000;
        Document document = new Document();
        document.add(new LogTextField("m", message, type, sketch));
        for (String token : message.split(" ")) {
          document.add(new StringField("tokens", token, Field.Store.NO));
        }
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    reader = new Watched(DirectoryReader.open(directory));
    assertEquals(1, reader.leaves().size());
    cache.get(reader.leaves().get(0).reader(), "m"); // the dictionary keeps places of templates
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    directory.close();
  }

  private static MultiTermQuery like(String field, int kind, String text) {
    Term term = new Term(field, text);
    return switch (kind) {
      case 0 -> new PrefixQuery(term);
      case 1 -> new WildcardQuery(new Term(field, "*" + text + "*"));
      case 2 -> new RegexpQuery(new Term(field, text + ".*"));
      default -> TermRangeQuery.newStringRange(field, text, text + "z", true, true);
    };
  }

  private List<Integer> documents(Query query) throws IOException {
    List<Integer> out = new ArrayList<>();
    for (ScoreDoc doc : new IndexSearcher(reader).search(query, DOCUMENTS).scoreDocs) {
      out.add(doc.doc);
    }
    return out.stream().sorted().toList();
  }

  @Test
  void manyTokensAreNotRemembered() throws IOException {
    for (int kind = 0; kind < 4; kind++) {
      for (String text : List.of("u", "x", "x1", "kind", "u27", "x99", "")) {
        remembered.set(0);
        enumerations.set(0);
        List<Integer> found = documents(new TokensQuery(like("m", kind, text), cache));
        assertTrue(
            remembered.get() <= PostingsUnion.REMEMBERED,
            "terms remembered: " + remembered + " for " + text);
        assertTrue(enumerations.get() <= 1, "walks over the terms: " + enumerations);
        assertEquals(documents(like("tokens", kind, text)), found, kind + " " + text);
        assertFalse(found.isEmpty());
      }
    }
  }

  /** Each of 26 templates holds the token. */
  @Test
  void manyTemplatesAreNotRemembered() throws IOException {
    List<Integer> found = documents(TokenQuery.of(new Term("m", "took"), cache));
    assertTrue(remembered.get() <= PostingsUnion.REMEMBERED, "terms remembered: " + remembered);
    assertEquals(documents(new TermQuery(new Term("tokens", "took"))), found);
    assertEquals(DOCUMENTS / 3 * 2, found.size());
  }

  @Test
  void manyTemplatesOfAPhraseAreNotRemembered() throws IOException {
    PhraseTemplates took =
        new PhraseTemplates(
            new PhraseShape(new Term[][] {{new Term("m", "took")}}, new int[] {0}, false),
            Integer.MAX_VALUE);
    List<Integer> yes =
        documents(new TemplateQuery("m", took, TemplateQuery.Wanted.DECIDED, cache));
    assertTrue(remembered.get() <= PostingsUnion.REMEMBERED, "terms remembered: " + remembered);
    List<Integer> open = documents(new TemplateQuery("m", took, TemplateQuery.Wanted.FREE, cache));
    List<Integer> all = documents(new TermQuery(new Term("tokens", "took")));
    // the sights before each of the 26 templates counts
    assertEquals(all.size() - 26 * (TemplateSketch.SIGHTS - 1), yes.size());
    assertTrue(open.containsAll(all.stream().filter(doc -> !yes.contains(doc)).toList()));
  }

  @Test
  void costIsExactForFewTermsAndBoundedForMany() throws IOException {
    assertEquals(1, cost(new TokensQuery(like("m", 0, "u2700"), cache), 2_700));
    assertEquals(DOCUMENTS, cost(new TokensQuery(like("m", 0, "x"), cache), 0));
  }

  private long cost(Query query, int document) throws IOException {
    IndexSearcher searcher = new IndexSearcher(reader);
    Weight weight = searcher.createWeight(searcher.rewrite(query), ScoreMode.COMPLETE_NO_SCORES, 1);
    ScorerSupplier supplier = weight.scorerSupplier(reader.leaves().get(0));
    long cost = supplier.cost();
    if (cost < DOCUMENTS) {
      assertEquals(document, supplier.get(cost).iterator().nextDoc());
    }
    return cost;
  }

  /** A reader that counts the terms whose state is taken, that is, remembered. */
  private final class Watched extends FilterDirectoryReader {
    Watched(DirectoryReader in) throws IOException {
      super(
          in,
          new SubReaderWrapper() {
            @Override
            public LeafReader wrap(LeafReader leaf) {
              return new WatchedLeaf(leaf);
            }
          });
    }

    @Override
    protected DirectoryReader doWrapDirectoryReader(DirectoryReader in) throws IOException {
      return new Watched(in);
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }

  private final class WatchedLeaf extends FilterLeafReader {
    WatchedLeaf(LeafReader in) {
      super(in);
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return in.getCoreCacheHelper();
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }

    @Override
    public Terms terms(String field) throws IOException {
      Terms terms = super.terms(field);
      return terms == null || !field.equals("m")
          ? terms
          : new FilterTerms(terms) {
            @Override
            public TermsEnum iterator() throws IOException {
              return watched(in.iterator());
            }

            @Override
            public TermsEnum intersect(CompiledAutomaton automaton, BytesRef start)
                throws IOException {
              enumerations.incrementAndGet();
              return watched(in.intersect(automaton, start));
            }
          };
    }

    private TermsEnum watched(TermsEnum terms) {
      return new FilterTermsEnum(terms) {
        @Override
        public TermState termState() throws IOException {
          remembered.incrementAndGet();
          return in.termState();
        }
      };
    }
  }
}
