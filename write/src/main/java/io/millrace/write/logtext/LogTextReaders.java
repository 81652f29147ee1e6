package io.millrace.write.logtext;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Terms;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lucene.index.SequentialStoredFieldsLeafReader;

/**
 * The reader that searches of an index with {@code log_text} fields get. It shows such a field as
 * {@code match_only_text} would have written it ({@link TokenView}), so that everything that reads
 * terms without asking the field type is right without being known here: common terms,
 * more_like_this, blended and synonym queries, suggesters, term statistics. Who asks for positions,
 * as intervals and spans do, gets them ({@link PositionedTerms}).
 *
 * <p>The queries of the field type do not need it: they find what is stored by {@link #stored}.
 */
final class LogTextReaders extends FilterDirectoryReader {
  private final Fields fields;
  private final TemplateCache cache;

  /** The {@code log_text} fields of an index. */
  @FunctionalInterface
  interface Fields {
    /** What a field is written of; null where it is none of them. */
    @Nullable IndexedText of(String field);
  }

  LogTextReaders(DirectoryReader in, Fields fields, TemplateCache cache) throws IOException {
    super(
        in,
        new SubReaderWrapper() {
          @Override
          public LeafReader wrap(LeafReader reader) {
            return new Leaf(reader, fields, cache);
          }
        });
    this.fields = fields;
    this.cache = cache;
  }

  /** The terms of a field as they are stored, where a reader above may not hide the field. */
  static @Nullable Terms stored(LeafReader reader, String field) throws IOException {
    Terms shown = reader.terms(field);
    if (shown == null) {
      return null;
    }
    LeafReader at = reader;
    while (at instanceof FilterLeafReader filter) {
      at = filter.getDelegate();
      if (filter instanceof Leaf) {
        return at.terms(field);
      }
    }
    return shown;
  }

  /** Whether a segment has templates of a field that a reader above does not hide. */
  static boolean holdTemplates(IndexReader reader, String field) throws IOException {
    for (LeafReaderContext leaf : reader.leaves()) {
      Terms terms = stored(leaf.reader(), field);
      if (terms != null && Reserved.among(terms)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a reader shows templates among the tokens, as that of another plugin's engine does. */
  static boolean showTemplates(IndexReader reader, String field) throws IOException {
    for (LeafReaderContext leaf : reader.leaves()) {
      Terms terms = leaf.reader().terms(field);
      if (terms != null && !(terms instanceof PositionedTerms) && Reserved.among(terms)) {
        return true;
      }
    }
    return false;
  }

  @Override
  protected DirectoryReader doWrapDirectoryReader(DirectoryReader in) throws IOException {
    return new LogTextReaders(in, fields, cache);
  }

  @Override
  public CacheHelper getReaderCacheHelper() {
    return in.getReaderCacheHelper();
  }

  private static final class Leaf extends SequentialStoredFieldsLeafReader {
    private final Fields fields;
    private final TemplateCache cache;
    private final Map<String, Terms> views = new ConcurrentHashMap<>();

    Leaf(LeafReader in, Fields fields, TemplateCache cache) {
      super(in);
      this.fields = fields;
      this.cache = cache;
    }

    @Override
    public @Nullable Terms terms(String field) throws IOException {
      Terms terms = in.terms(field);
      if (terms == null || terms.hasPositions()) {
        return terms;
      }
      Terms known = views.get(field);
      if (known != null) {
        return known;
      }
      IndexedText text = fields.of(field);
      return text == null ? terms : views.computeIfAbsent(field, name -> view(name, terms, text));
    }

    /** One for a search, which so reads a dictionary once even where the cache has no room. */
    private Terms view(String field, Terms terms, IndexedText text) {
      Map<Thread, SourcePositions> readers = new ConcurrentHashMap<>(); // each serves one thread
      return new PositionedTerms(
          tokens(field, terms),
          () ->
              readers.computeIfAbsent(
                  Thread.currentThread(), t -> new SourcePositions(field, text, in)));
    }

    private Terms tokens(String field, Terms terms) {
      try {
        return Reserved.among(terms)
            ? new TokenView(terms, in.maxDoc(), () -> cache.get(in, field))
            : terms;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    protected StoredFieldsReader doGetSequentialStoredFieldsReader(StoredFieldsReader reader) {
      return reader;
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return in.getCoreCacheHelper();
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }
}
