package io.millrace.kernel.slot;

import org.apache.lucene.index.DirectoryReader;

/** What one extension puts between the files of a shard and the searches of it. */
public interface ReaderView {
  /** Shows the files as they are. */
  ReaderView NONE =
      new ReaderView() {
        @Override
        public boolean active() {
          return false;
        }

        @Override
        public DirectoryReader over(DirectoryReader reader) {
          return reader;
        }
      };

  /** Whether a search needs the view; asked for each search, so that the others pay nothing. */
  boolean active();

  /**
   * The reader that a search gets in the place of the given one. It keeps that one's cache helpers
   * and documents (IndexShard#wrapSearcher at 3.8.0 checks the former).
   */
  DirectoryReader over(DirectoryReader reader);
}
