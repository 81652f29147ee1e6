package io.millrace.storage.columnarsource.block;

import io.millrace.kernel.slot.PartialSource;
import io.millrace.kernel.text.LittleEndian;
import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.columnarsource.segment.DictionaryReader;
import io.millrace.storage.columnarsource.segment.SegmentDictionary;
import io.millrace.storage.columnarsource.segment.SegmentLayout;
import io.millrace.storage.offheapcache.BlockFile;
import io.millrace.storage.offheapcache.CachedBlock;
import io.millrace.storage.zstandard.DecompressionContexts;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/**
 * Reads documents of a segment for one thread.
 *
 * <p>Where the node has no cache, or has not got the block, the cursor reads and checks the block,
 * offers it to the cache as it lies on disk, and holds it, so that neighbours are read from it. A
 * cached block is read where it is: its directory, once parsed, is kept beside it ({@link
 * OpenBlock}), and of its text only the frames that are wanted are decoded, which are cached, too.
 * Whoever reads many neighbours of a cached block copies it, which is dearer once and cheaper for
 * each.
 *
 * <p>A block's checksum is checked before anything in it is believed; what the cache holds has been
 * checked. The checks behind it (lengths within sections, Java's own array bounds) are a second
 * line: whatever they throw becomes {@link CorruptIndexException}.
 */
public final class BlockCursor {
  private static final int SPARE = 8;
  private static final int KEEP = 4 << 20;

  /** A block of one large document is not cached. */
  private static final int MOST_CACHED = BlockBuilder.MAX_BYTES;

  /** Documents after which a cursor that stays in one cached block copies it. */
  private static final int NEIGHBOURS = 16;

  /** The same where some fields are wanted: a copy parses the columns of all. */
  private static final int PARTIAL_NEIGHBOURS = 256;

  private final SegmentLayout layout;
  private final IndexInput data;
  private final @Nullable BlockFile file;
  private final DictionaryReader dictionary;
  private final DecompressionContexts contexts;
  private final SourceCounters counters;
  private final OpenBlock own;
  private final PartialShapes partials = new PartialShapes();

  private int opened = -1;
  private byte[] block = {};
  private int blockLength;

  private int neighbourhood = -1;
  private int neighbours;

  /**
   * @param file the blocks of {@code data} in the node's cache; null for a reader that must not use
   *     it
   */
  public BlockCursor(
      SegmentLayout layout,
      IndexInput data,
      @Nullable BlockFile file,
      DictionaryReader dictionary,
      DecompressionContexts contexts,
      SourceCounters counters) {
    this.layout = layout;
    this.data = data;
    this.file = file;
    this.dictionary = dictionary;
    this.contexts = contexts;
    this.counters = counters;
    own = new OpenBlock(contexts);
  }

  /**
   * Appends a document's {@code _source}.
   *
   * @return false if the document has none
   * @throws CorruptIndexException if the block is damaged
   */
  public boolean read(int document, ByteSink out) throws IOException {
    return read(document, null, out);
  }

  /**
   * Appends a document's {@code _source}, or of its top the fields that are wanted. The values of
   * others are not decoded.
   *
   * @param some null for all of it, byte for byte
   * @return false if the document has none, or the source's outline decided what the visitor asks
   * @throws CorruptIndexException if the block is damaged
   */
  public boolean read(int document, @Nullable PartialSource some, ByteSink out) throws IOException {
    int wanted = layout.blockOf(document);
    int index = document - layout.firstDocuments()[wanted];
    if (wanted != opened) {
      CachedBlock image = cached(wanted);
      if (image == null) {
        load(wanted);
      } else {
        try (image) {
          if (!stays(wanted, some == null ? NEIGHBOURS : PARTIAL_NEIGHBOURS)) {
            return read(image, wanted, index, some, out);
          }
          copy(image, wanted);
        }
      }
    }
    try {
      if (wanted != opened) {
        own.body(block, blockLength, dictionary, file, layout.pointers()[wanted]);
        opened = wanted;
      }
      return own.append(index, some, partials, out);
    } catch (RuntimeException e) {
      opened = -1;
      throw damaged(wanted, e);
    }
  }

  private @Nullable CachedBlock cached(int wanted) {
    if (file == null || layout.length(wanted) > MOST_CACHED) {
      return null;
    }
    return file.get(layout.pointers()[wanted]);
  }

  private boolean stays(int wanted, int most) {
    neighbours = wanted == neighbourhood ? neighbours + 1 : 0;
    neighbourhood = wanted;
    return neighbours >= most;
  }

  /** Reads a document where the cache holds its block. */
  private boolean read(
      CachedBlock image, int wanted, int index, @Nullable PartialSource some, ByteSink out)
      throws IOException {
    try {
      OpenBlock view = image.view() instanceof OpenBlock known ? known : view(image, wanted);
      view.lock(image, dictionary);
      try {
        return view.append(index, some, partials, out);
      } finally {
        view.unlock();
        image.attach(view, view.heap());
      }
    } catch (RuntimeException e) {
      image.detach();
      throw damaged(wanted, e);
    }
  }

  private OpenBlock view(CachedBlock image, int wanted) throws IOException {
    copy(image, wanted);
    OpenBlock view = new OpenBlock(contexts);
    head(view, wanted);
    view.body(block, blockLength, dictionary, file, layout.pointers()[wanted]);
    view.leaveArray();
    return view;
  }

  private IOException damaged(int wanted, RuntimeException cause) {
    if (cause instanceof AlreadyClosedException) {
      throw cause;
    }
    if (cause instanceof UncheckedIOException unchecked && unchecked.getCause() != null) {
      return unchecked.getCause();
    }
    counters.damagedBlocks.increment();
    return new CorruptIndexException(
        "block " + wanted + " of _source is damaged: " + cause, data, cause);
  }

  /** Reads a block and its references without its body; for copies. */
  public void load(int wanted) throws IOException {
    int length = makeRoom(wanted);
    long position = layout.pointers()[wanted];
    data.seek(position);
    data.readBytes(block, 0, length);
    counters.blocksRead.increment();
    if (blockLength <= 0
        || BlockBuilder.checksum(block, 0, blockLength)
            != (int) LittleEndian.getLong(block, blockLength)) {
      counters.damagedBlocks.increment();
      throw new CorruptIndexException("checksum of block " + wanted + " of _source", data);
    }
    head(wanted);
    if (file != null && length <= MOST_CACHED) {
      file.put(position, 0, block, 0, length + SPARE);
    }
  }

  private void copy(CachedBlock image, int wanted) throws IOException {
    int length = makeRoom(wanted);
    image.copy(0, block, 0, length);
    head(wanted);
  }

  private int makeRoom(int wanted) {
    opened = -1;
    int length = layout.length(wanted);
    if (block.length < length + SPARE || block.length > KEEP && length < KEEP / 2) {
      block = new byte[length + SPARE];
    }
    blockLength = length - Integer.BYTES;
    return length;
  }

  private void head(int wanted) throws IOException {
    try {
      head(own, wanted);
    } catch (RuntimeException e) {
      throw damaged(wanted, e);
    }
  }

  private void head(OpenBlock open, int wanted) {
    open.head(
        block,
        blockLength,
        wanted,
        layout.firstDocuments()[wanted],
        layout.documents(wanted),
        dictionary);
  }

  // what a copy needs of the block that was loaded

  /** Documents of the loaded block. */
  public int documents() {
    return own.documents();
  }

  /** Its shapes. */
  public int shapeCount() {
    return own.shapeCount();
  }

  /** The place of one of them, as {@link SegmentDictionary} numbers it. */
  public int shape(int i) {
    return own.shape(i);
  }

  /** Its template references. */
  public int templateCount() {
    return own.templateCount();
  }

  /** The place of one of them in the dictionary. */
  public int template(int i) {
    return own.template(i);
  }

  /** Writes the part of the loaded block that names nothing outside of it. */
  public void copyBody(ByteSink out) {
    out.write(block, own.bodyStart(), blockLength - own.bodyStart());
  }
}
