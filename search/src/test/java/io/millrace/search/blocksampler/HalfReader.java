package io.millrace.search.blocksampler;

import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.util.Bits;

/** Shows the documents with odd numbers, as a plugin for document-level security may do. */
final class HalfReader extends FilterDirectoryReader {
  HalfReader(DirectoryReader in) throws IOException {
    super(
        in,
        new SubReaderWrapper() {
          @Override
          public LeafReader wrap(LeafReader reader) {
            return new HalfLeaf(reader);
          }
        });
  }

  @Override
  protected DirectoryReader doWrapDirectoryReader(DirectoryReader in) throws IOException {
    return new HalfReader(in);
  }

  @Override
  public CacheHelper getReaderCacheHelper() {
    return in.getReaderCacheHelper();
  }

  private static final class HalfLeaf extends FilterLeafReader {
    HalfLeaf(LeafReader in) {
      super(in);
    }

    @Override
    public Bits getLiveDocs() {
      return new Bits() {
        @Override
        public boolean get(int index) {
          return index % 2 == 1;
        }

        @Override
        public int length() {
          return in.maxDoc();
        }
      };
    }

    @Override
    public int numDocs() {
      return in.maxDoc() / 2;
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return in.getCoreCacheHelper();
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return null;
    }
  }
}
