package io.millrace.storage.offheapcache;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/**
 * How a codec finds the cache of the node whose segment it opens.
 *
 * <p>Lucene opens a segment with the codec that its registry made by name, one per JVM and without
 * any context. The registered codec owns one of these; a node attaches its cache together with the
 * folders of its data, and a segment belongs to the node in whose folders it lies. So several nodes
 * in one JVM keep their caches apart, a directory that is in no node's folder has none, and there
 * is no static state. See docs/adr/20261121-cache-of-a-codec-without-context.md.
 */
public final class BlockCaches {
  private final List<NodeFolder> folders = new CopyOnWriteArrayList<>();

  /** A codec of Lucene's registry whose formats use the cache. */
  public interface User {
    /** The same object for the life of the registered codec. */
    BlockCaches blockCaches();
  }

  /** A folder of a node's data, and that node's cache. */
  private record NodeFolder(Path folder, BlockCache cache) {}

  /** Every codec that uses the cache, whoever brought it. */
  static List<BlockCaches> ofRegisteredCodecs() {
    return Codec.availableCodecs().stream()
        .map(Codec::forName)
        .filter(User.class::isInstance)
        .map(codec -> ((User) codec).blockCaches())
        .toList();
  }

  /**
   * Segments below a folder use this cache from now on; segments that are open already do not.
   *
   * @param folder absolute, with symbolic links resolved
   */
  public void attach(Path folder, BlockCache cache) {
    folders.add(new NodeFolder(folder, cache));
  }

  /** Forgets every folder of this cache. */
  public void detach(BlockCache cache) {
    folders.removeIf(each -> each.cache() == cache);
  }

  /**
   * A directory whose files with this name give blocks to, and take them from, the node's cache;
   * {@link CachedInput#fileOf} tells a decoder which.
   *
   * @param directory what the format was given: the segment's folder or its compound file
   * @param segment says in which folder the segment really lies
   */
  public Directory caching(Directory directory, SegmentInfo segment, String fileName) {
    BlockCache cache = cacheOf(segment.dir);
    return cache == null ? directory : new CachingDirectory(directory, fileName, cache);
  }

  private @Nullable BlockCache cacheOf(Directory directory) {
    if (folders.isEmpty() || !(FilterDirectory.unwrap(directory) instanceof FSDirectory onDisk)) {
      return null;
    }
    Path folder = onDisk.getDirectory();
    for (NodeFolder each : folders) {
      if (folder.startsWith(each.folder())) {
        return each.cache();
      }
    }
    return null;
  }

  private static final class CachingDirectory extends FilterDirectory {
    private final String fileName;
    private final BlockCache cache;

    CachingDirectory(Directory in, String fileName, BlockCache cache) {
      super(in);
      this.fileName = fileName;
      this.cache = cache;
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      IndexInput input = super.openInput(name, context);
      return name.equals(fileName) ? new CachedInput(input, cache.open(), true) : input;
    }
  }
}
