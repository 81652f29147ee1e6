package io.millrace.write.logtext;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.apache.lucene.util.automaton.RegExp;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a search sees of a segment with templates is what it would see of the tokens' postings. */
class TokenViewTest {
  private static final int DOCUMENTS = 600;
  private static final String VIEWED = "m";
  private static final String TOKENS = "tokens";

  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private final Random random = new Random(42);
  private DirectoryReader reader;

  /**
   * Some documents have a later value, whose tokens a template of the first may hold too. Others
   * have a value without tokens, alone or as one of two.
   */
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
        List<String> values = new ArrayList<>();
        values.add(
            i % 7 == 3
                ? "once " + (char) ('a' + i % 26) + " upon " + (char) ('a' + i / 26)
                : "user u" + i % 40 + " kind " + (char) ('a' + i % 5) + " took x" + i);
        if (i % 9 == 4) {
          values.add("took u7 later");
        }
        if (i % 11 == 6) {
          values.add(i % 2, "... !?");
        }
        if (i % 13 == 5) {
          values.clear();
          values.add(i % 2 == 0 ? "" : " -- ");
        }
        Document document = new Document();
        Set<String> tokens = new LinkedHashSet<>();
        for (String value : values) {
          boolean first = value.equals(values.get(0));
          document.add(new LogTextField(VIEWED, value, type, first ? sketch : null));
          tokens.addAll(List.of(value.split("\\W+")));
        }
        tokens.remove("");
        tokens.forEach(t -> document.add(new StringField(TOKENS, t, Field.Store.NO)));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    reader =
        new LogTextReaders(
            DirectoryReader.open(directory),
            field ->
                field.equals(VIEWED)
                    ? new IndexedText(Set.of(VIEWED), new WhitespaceAnalyzer())
                    : null,
            new TemplateCache(1 << 20));
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    directory.close();
  }

  private Terms terms(String field) throws IOException {
    LeafReader leaf = reader.leaves().get(0).reader();
    Terms terms = leaf.terms(field);
    assertNotNull(terms);
    return terms;
  }

  private static String at(TermsEnum terms) throws IOException {
    StringBuilder out = new StringBuilder(terms.term().utf8ToString()).append(terms.docFreq());
    PostingsEnum postings = terms.postings(null, PostingsEnum.NONE);
    for (int d = postings.nextDoc(); d != DocIdSetIterator.NO_MORE_DOCS; d = postings.nextDoc()) {
      out.append(' ').append(d);
    }
    return out.toString();
  }

  private static List<String> rest(TermsEnum terms) throws IOException {
    List<String> out = new ArrayList<>();
    while (terms.next() != null) {
      out.add(at(terms));
    }
    return out;
  }

  @Test
  void templatesWereWritten() throws IOException {
    Terms stored = LogTextReaders.stored(reader.leaves().get(0).reader(), VIEWED);
    assertTrue(stored != null && Reserved.among(stored));
    assertTrue(terms(VIEWED) instanceof PositionedTerms);
  }

  @Test
  void allTokensInOrderWithTheirDocuments() throws IOException {
    assertEquals(rest(terms(TOKENS).iterator()), rest(terms(VIEWED).iterator()));
  }

  @Test
  void figuresAreExact() throws IOException {
    Terms expected = terms(TOKENS);
    Terms viewed = terms(VIEWED);
    assertEquals(expected.size(), viewed.size());
    assertEquals(expected.getSumDocFreq(), viewed.getSumDocFreq());
    assertEquals(expected.getSumTotalTermFreq(), viewed.getSumTotalTermFreq());
    assertEquals(expected.getDocCount(), viewed.getDocCount());
    assertEquals(expected.getMin(), viewed.getMin());
    assertEquals(expected.getMax(), viewed.getMax());
  }

  /** From each place sought, in both ways, the same tokens follow. */
  @Test
  void seekingLeadsToTheSamePlace() throws IOException {
    Set<String> wanted = new TreeSet<>(List.of("", "a", "kind", "kinda", "took", "u7", "zzz"));
    for (int i = 0; i < 60; i++) {
      wanted.add("x" + random.nextInt(2 * DOCUMENTS));
    }
    TermsEnum expected = terms(TOKENS).iterator();
    TermsEnum viewed = terms(VIEWED).iterator();
    for (String token : wanted) {
      BytesRef bytes = new BytesRef(token);
      TermsEnum.SeekStatus status = expected.seekCeil(bytes);
      assertEquals(status, viewed.seekCeil(bytes), token);
      if (status != TermsEnum.SeekStatus.END) {
        assertEquals(at(expected), at(viewed));
        assertEquals(rest(expected), rest(viewed));
      }
      boolean there = expected.seekExact(bytes);
      assertEquals(there, viewed.seekExact(bytes), token);
      if (there) {
        assertEquals(at(expected), at(viewed));
        assertEquals(rest(expected), rest(viewed));
      }
    }
    assertTrue(!viewed.seekExact(Reserved.free()), "templates and marks are not there");
  }

  @Test
  void automataAcceptTheSameTokens() throws IOException {
    for (String pattern : List.of(".*", "u.*", ".*7", "[a-m]", "x1.", "took|kind", "none")) {
      CompiledAutomaton automaton =
          new CompiledAutomaton(
              org.apache.lucene.util.automaton.Operations.determinize(
                  new RegExp(pattern).toAutomaton(), 10_000),
              false,
              false);
      for (BytesRef after : new BytesRef[] {null, new BytesRef("u2"), new BytesRef("x11")}) {
        if (after != null && !accepts(automaton, after)) {
          continue; // Terms#intersect wants an accepted one
        }
        assertEquals(
            rest(terms(TOKENS).intersect(automaton, after)),
            rest(terms(VIEWED).intersect(automaton, after)),
            pattern);
      }
    }
  }

  private static boolean accepts(CompiledAutomaton automaton, BytesRef term) {
    return automaton.runAutomaton != null
        && automaton.runAutomaton.run(term.bytes, term.offset, term.length);
  }
}
