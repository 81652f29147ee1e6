package io.millrace.write.logtext;

import io.millrace.write.loganalyzer.LogAnalyzer;
import io.millrace.write.loganalyzer.WholeTokens;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.Field;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * CPU of a query on a message field in raw Lucene, one segment, no cache of queries: on the
 * postings of all tokens as match_only_text has them, and on log_text by the queries of its field
 * type without a view, by the same under the view, and by Lucene's own queries over the view. The
 * best of the rounds, which take turns; all four must find the same documents.
 *
 * <p>Arguments: {@code generated} or a folder of log files, {@code COUNT}, {@code ROUNDS}.
 */
final class LogTextSearchMeasurement {
  private static final int REPEATS = 20;
  private static final String FIELD = "m";
  private static final TemplateCache CACHE = new TemplateCache(64L << 20);

  private LogTextSearchMeasurement() {}

  private static @Nullable IndexedText text(String field) {
    return field.equals(FIELD)
        ? new IndexedText(Set.of(FIELD), new LogAnalyzer(WholeTokens.WORDS))
        : null;
  }

  private static DirectoryReader index(List<String> messages, boolean logText) throws IOException {
    FieldType docs = new FieldType();
    docs.setIndexOptions(IndexOptions.DOCS);
    docs.setOmitNorms(true);
    docs.setTokenized(true);
    docs.freeze();
    TemplateSketch sketch = new TemplateSketch();
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    try (IndexWriter writer =
        new IndexWriter(
            directory, new IndexWriterConfig(new LogAnalyzer(WholeTokens.WORDS)))) {
      for (String message : messages) {
        Document document = new Document();
        document.add(
            logText
                ? new LogTextField(FIELD, message, docs, sketch)
                : new Field(FIELD, message, docs));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    return DirectoryReader.open(directory);
  }

  /** Queries by their class; the tokens are those that many and few messages have. */
  private static Map<String, Query> queries(boolean ofFieldType, String[] tokens) {
    TemplateCache cache = CACHE;
    MultiTermQuery.RewriteMethod constant =
        ofFieldType ? new TokenRewrite(cache) : MultiTermQuery.CONSTANT_SCORE_BLENDED_REWRITE;
    List<Query> words = new ArrayList<>();
    for (String token : tokens) {
      Term term = new Term(FIELD, token);
      words.add(ofFieldType ? new TokenTermQuery(term, cache) : new TermQuery(term));
    }
    Map<String, Query> all = new LinkedHashMap<>();
    all.put("frequent word", words.get(0));
    all.put("rare word", words.get(2));
    all.put(
        "conjunction",
        new BooleanQuery.Builder()
            .add(words.get(0), Occur.FILTER)
            .add(words.get(1), Occur.FILTER)
            .build());
    String stem = tokens[1].substring(0, Math.min(3, tokens[1].length()));
    all.put("prefix", new PrefixQuery(new Term(FIELD, stem), constant));
    all.put("wildcard", new WildcardQuery(new Term(FIELD, "*" + stem + "*"), 10_000, constant));
    all.put("fuzzy", new FuzzyQuery(new Term(FIELD, tokens[1]), 1));
    return all;
  }

  public static void main(String[] arguments) throws IOException {
    int count = Integer.parseInt(arguments[1]);
    int rounds = Integer.parseInt(arguments[2]);
    List<String> messages =
        arguments[0].equals("generated")
            ? LogTextMeasurement.generated(count)
            : LogTextMeasurement.lines(Path.of(arguments[0]), count);
    try (DirectoryReader reference = index(messages, false);
        DirectoryReader stored = index(messages, true);
        DirectoryReader viewed = new LogTextReaders(stored, LogTextSearchMeasurement::text, CACHE)) {
      String[] tokens = tokens(reference, messages.size());
      print("tokens: %s%n", String.join(", ", tokens));
      TemplateDictionary dictionary = CACHE.get(stored.leaves().get(0).reader(), FIELD);
      print("templates: %d, documents without: %d", dictionary.templates.length, dictionary.free);
      for (String token : tokens) {
        print(", %s in %d", token, dictionary.owners(new BytesRef(token)).length);
      }
      print("%n");
      print("%-14s %12s %12s %12s %12s%n", "us", "reference", "no view", "view", "Lucene, view");
      Map<String, Query> plain = queries(false, tokens);
      Map<String, Query> ours = queries(true, tokens);
      for (String kind : plain.keySet()) {
        Query lucene = plain.get(kind);
        Query own = ours.get(kind);
        boolean scored = kind.equals("fuzzy");
        double[] best = {Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE};
        for (int round = 0; round < rounds; round++) {
          best[0] = Math.min(best[0], micros(reference, lucene));
          best[1] = scored ? Double.NaN : Math.min(best[1], micros(stored, own));
          best[2] = Math.min(best[2], micros(viewed, own));
          best[3] = Math.min(best[3], micros(viewed, lucene));
        }
        int found = hits(reference, lucene);
        if (found != hits(viewed, own) || found != hits(viewed, lucene)) {
          throw new IllegalStateException(kind + " finds other documents");
        }
        print(
            "%-14s %12.1f %12.1f %12.1f %12.1f   %d hits%n",
            kind, best[0], best[1], best[2], best[3], found);
      }
    }
  }

  /** The most frequent word, one of every 50th message, one of every 5,000th. */
  private static String[] tokens(DirectoryReader reader, int messages) throws IOException {
    String[] tokens = {"", "", ""};
    long[] off = {Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE};
    TermsEnum terms = reader.leaves().get(0).reader().terms(FIELD).iterator();
    for (BytesRef term = terms.next(); term != null; term = terms.next()) {
      long[] wanted = {messages, messages / 50, messages / 5_000};
      for (int i = 0; i < wanted.length; i++) {
        long distance = Math.abs(terms.docFreq() - wanted[i]);
        if (distance < off[i] && term.length >= 4) {
          off[i] = distance;
          tokens[i] = term.utf8ToString();
        }
      }
    }
    return tokens;
  }

  /** Visits each hit, so that nothing is answered by statistics alone. */
  private static int hits(DirectoryReader reader, Query query) throws IOException {
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.setQueryCache(null);
    Counting counting = new Counting();
    searcher.search(
        query,
        new CollectorManager<Counting, Integer>() {
          @Override
          public Counting newCollector() {
            return counting;
          }

          @Override
          public Integer reduce(Collection<Counting> collectors) {
            return counting.hits;
          }
        });
    return counting.hits;
  }

  private static final class Counting extends SimpleCollector {
    private int hits;

    @Override
    public void collect(int document) {
      hits++;
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE_NO_SCORES;
    }
  }

  private static double micros(DirectoryReader reader, Query query) throws IOException {
    ThreadMXBean thread = ManagementFactory.getThreadMXBean();
    long before = thread.getCurrentThreadCpuTime();
    for (int i = 0; i < REPEATS; i++) {
      hits(reader, query);
    }
    return (thread.getCurrentThreadCpuTime() - before) / 1e3 / REPEATS;
  }

  private static void print(String format, Object... values) {
    System.out.print(String.format(Locale.ROOT, format, values));
  }
}
