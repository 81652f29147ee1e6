package io.millrace.search.timepruning;

import com.sun.management.ThreadMXBean;
import io.millrace.storage.packedids.PackedIdsDocValuesFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import org.apache.lucene.codecs.DocValuesFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene90.Lucene90DocValuesFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedSetSortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * The ten newest matches, those of the same time in the order of a random id of 32 digits, by
 * Lucene's comparator and by {@link LateTermComparator}: CPU of the measuring thread for a search.
 *
 * <p>Raw Lucene, one segment whose documents come in the order of time, ids as Lucene keeps them
 * and packed. docs/time-pruning-measured.md names the command.
 */
public final class LateTermsMeasurement {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int HITS = 10;

  /** One document of so many matches. */
  private static final int[] EVERY = {10_000, 640, 160, 40, 10};

  private LateTermsMeasurement() {}

  /**
   * {@code main [documents] [rounds] [searches]}.
   *
   * @param args default 100,000 documents, 7 rounds of 2,000 searches
   */
  public static void main(String[] args) throws IOException {
    int documents = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 7;
    int searches = args.length > 2 ? Integer.parseInt(args[2]) : 2_000;
    System.out.println("| ids | matches | Lucene's, us | late, us | ratio |");
    System.out.println("|---|---|---|---|---|");
    measure("Lucene", new Lucene90DocValuesFormat(), documents, rounds, searches);
    measure("packed", new PackedIdsDocValuesFormat(), documents, rounds, searches);
  }

  private static void measure(
      String name, DocValuesFormat format, int documents, int rounds, int searches)
      throws IOException {
    Path folder = Files.createTempDirectory("late-terms");
    try (Directory directory = new MMapDirectory(folder)) {
      write(directory, format, documents);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        searcher.setQueryCache(null);
        Sort stock =
            new Sort(
                new SortField("time", SortField.Type.LONG, true),
                new SortedSetSortField("id", false));
        Sort late = LateTermOrder.of(stock);
        for (int every : EVERY) {
          Query query = new TermQuery(new Term("every", Integer.toString(every)));
          double[] left = new double[rounds];
          double[] right = new double[rounds];
          for (int round = -1; round < rounds; round++) {
            double one = run(searcher, query, stock, searches);
            double other = run(searcher, query, late, searches);
            if (round >= 0) { // the first is the compilers'
              left[round] = one;
              right[round] = other;
            }
          }
          same(searcher.search(query, HITS, stock), searcher.search(query, HITS, late));
          Arrays.sort(left);
          Arrays.sort(right);
          double before = left[rounds / 2];
          double after = right[rounds / 2];
          System.out.printf(
              Locale.ROOT,
              "| %s | %d | %.1f | %.1f | %.2f |%n",
              name,
              searcher.count(query),
              before,
              after,
              after / before);
        }
      }
    } finally {
      try (var files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }
  }

  private static void write(Directory directory, DocValuesFormat format, int documents)
      throws IOException {
    IndexWriterConfig config = new IndexWriterConfig();
    config.setCodec(
        new Lucene104Codec() {
          @Override
          public DocValuesFormat getDocValuesFormatForField(String field) {
            return format;
          }
        });
    Random random = new Random(1);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < documents; i++) {
        Document document = new Document();
        document.add(new NumericDocValuesField("time", i / 2));
        String id = String.format(Locale.ROOT, "%016x%016x", random.nextLong(), random.nextLong());
        document.add(new SortedSetDocValuesField("id", new BytesRef(id)));
        for (int every : EVERY) {
          if (random.nextInt(every) == 0) {
            document.add(new StringField("every", Integer.toString(every), Store.NO));
          }
        }
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
  }

  /** Microseconds of CPU for a search. */
  private static double run(IndexSearcher searcher, Query query, Sort sort, int searches)
      throws IOException {
    long found = 0;
    long before = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < searches; i++) {
      found += searcher.search(query, HITS, sort).scoreDocs.length;
    }
    long took = THREADS.getCurrentThreadCpuTime() - before;
    if (found == 0) {
      throw new IllegalStateException("no document was found");
    }
    return took / 1e3 / searches;
  }

  private static void same(TopFieldDocs stock, TopFieldDocs late) {
    for (int i = 0; i < stock.scoreDocs.length; i++) {
      FieldDoc one = (FieldDoc) stock.scoreDocs[i];
      FieldDoc other = (FieldDoc) late.scoreDocs[i];
      if (one.doc != other.doc || !Arrays.equals(one.fields, other.fields)) {
        throw new IllegalStateException(one + " and " + other);
      }
    }
  }
}
