package io.millrace.write.logtext;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
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
 * more_like_this, blended and synonym queries, spans, suggesters, term statistics.
 *
 * <p>The queries of the field type do not need it: they find what is stored by {@link #stored}.
 */
final class LogTextReaders extends FilterDirectoryReader {
  private final Predicate<String> isLogText;
  private final TemplateCache cache;

  /**
   * @param isLogText whether the field of this name is a {@code log_text} field; asked only for
   *     fields whose first term could be a template
   */
  LogTextReaders(DirectoryReader in, Predicate<String> isLogText, TemplateCache cache)
      throws IOException {
    super(
        in,
        new SubReaderWrapper() {
          @Override
          public LeafReader wrap(LeafReader reader) {
            return new Leaf(reader, isLogText, cache);
          }
        });
    this.isLogText = isLogText;
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
      if (terms != null && !(terms instanceof TokenView) && Reserved.among(terms)) {
        return true;
      }
    }
    return false;
  }

  @Override
  protected DirectoryReader doWrapDirectoryReader(DirectoryReader in) throws IOException {
    return new LogTextReaders(in, isLogText, cache);
  }

  @Override
  public CacheHelper getReaderCacheHelper() {
    return in.getReaderCacheHelper();
  }

  private static final class Leaf extends SequentialStoredFieldsLeafReader {
    private final Predicate<String> isLogText;
    private final TemplateCache cache;
    private final Map<String, TokenView> views = new ConcurrentHashMap<>();

    Leaf(LeafReader in, Predicate<String> isLogText, TemplateCache cache) {
      super(in);
      this.isLogText = isLogText;
      this.cache = cache;
    }

    @Override
    public @Nullable Terms terms(String field) throws IOException {
      Terms terms = in.terms(field);
      return terms != null && Reserved.among(terms) && isLogText.test(field)
          ? views.computeIfAbsent(field, name -> view(name, terms))
          : terms;
    }

    /** One for a search, which so reads a dictionary once even where the cache has no room. */
    private TokenView view(String field, Terms terms) {
      return new TokenView(terms, in.maxDoc(), () -> cache.get(in, field));
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
