package io.millrace.kernel.slot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;
import org.apache.lucene.index.DirectoryReader;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.engine.Engine.Searcher;
import org.opensearch.index.engine.Engine.SearcherScope;
import org.opensearch.index.shard.IndexShard;

/**
 * Puts the views of the extensions around the readers that searches get, under the reader wrapper
 * of another plugin: so that whatever reads an index for an answer reads it through them.
 */
final class SearchReaders {
  /** The source of the searchers of realtime gets (Engine#getFromSearcher at 3.8.0). */
  private static final String GET = "get";

  private final List<ReaderView> views;

  SearchReaders(List<ReaderView> views) {
    this.views = views.stream().filter(view -> view != ReaderView.NONE).toList();
  }

  /**
   * The wrapper to give to stock's engine in the place of another one.
   *
   * @param readers null while the engine is constructed, when nothing is searched
   * @param scope internal searchers serve the engine itself, for which the files are what they are,
   *     but for realtime gets, from which term vectors take their statistics
   */
  static Function<Searcher, Searcher> under(
      @Nullable SearchReaders readers, Function<Searcher, Searcher> above, SearcherScope scope) {
    if (readers == null || readers.views.isEmpty()) {
      return above;
    }
    return searcher ->
        above.apply(
            scope == SearcherScope.EXTERNAL || searcher.source().equals(GET)
                ? readers.wrap(searcher)
                : searcher);
  }

  private Searcher wrap(Searcher searcher) {
    boolean active = false; // by no stream: each search of a shard comes by several times
    for (ReaderView view : views) {
      active |= view.active();
    }
    if (!active) {
      return searcher;
    }
    try {
      return IndexShard.wrapSearcher(
          searcher,
          reader -> {
            DirectoryReader viewed = reader;
            for (ReaderView view : views) {
              viewed = view.active() ? view.over(viewed) : viewed;
            }
            return viewed;
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
