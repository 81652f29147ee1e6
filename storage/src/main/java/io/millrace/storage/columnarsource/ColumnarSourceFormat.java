package io.millrace.storage.columnarsource;

import io.millrace.storage.columnarsource.block.SourceCounters;
import io.millrace.storage.columnarsource.column.ColumnKind;
import io.millrace.storage.columnarsource.patch.PatchEncoder;
import io.millrace.storage.columnarsource.section.PackedLongs;
import io.millrace.storage.columnarsource.segment.SegmentLayout;
import io.millrace.storage.columnarsource.segment.ShapeBudget;
import io.millrace.storage.columnarsource.text.Base64Text;
import io.millrace.storage.columnarsource.text.HexText;
import io.millrace.storage.columnarsource.text.JsonShape;
import io.millrace.storage.columnarsource.text.NumberText;
import io.millrace.storage.columnarsource.text.TimeText;
import io.millrace.storage.offheapcache.BlockCaches;
import io.millrace.storage.zstandard.DecompressionContexts;
import io.millrace.storage.zstandard.ZstandardCodec;
import io.millrace.storage.zstandard.ZstandardVariant;
import java.io.IOException;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.codecs.StoredFieldsWriter;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FileTypeHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.SourceFieldMapper;

/**
 * Stored fields whose {@code _source} is kept as columns and comes back byte for byte.
 *
 * <p><b>Principle.</b> A JSON text is its <em>shape</em> (keys, punctuation, white space, with a
 * hole for each value) and its values. Documents of a log have few shapes; the values of one path
 * make a column, and a column is written in the kind that suits it: numbers, timestamps,
 * hexadecimal ids, bytes in base64, a dictionary, messages as template and variables, or text. A
 * kind is taken only where writing the values back gives the same bytes for every one of them, so
 * that exactness does not depend on the JSON: {@link JsonShape} puts every byte of the text into
 * the shape or into a value, and {@link NumberText}, {@link TimeText}, {@link HexText} and {@link
 * Base64Text} accept exactly what they write. What has no shape (CBOR, SMILE, text that does not
 * begin with a brace, too many values) is kept as it is, document by document.
 *
 * <p><b>Files</b>, beside those of the zstandard format, which holds all other stored fields:
 *
 * <ul>
 *   <li>{@code .msc}: index header ({@value #DATA}, version, segment id), blocks, codec footer.
 *   <li>{@code .msm}: index header ({@value #META}), documents, blocks (vint each), per block its
 *       documents (vint) and bytes (vlong), the number of shapes and the length of each (vints),
 *       the same of templates, the texts of all shapes, then of all templates, codec footer. Its
 *       CRC is checked when the segment is opened.
 * </ul>
 *
 * <p><b>Block.</b> At most 2,048 documents, closed at 1 MiB of their text; a document of 256 KiB or
 * more has a block of its own, which a reader does not rely on: documents (vint); number of shapes
 * (vint) and the number of each (vint: 0 no {@code _source}, 1 kept as it is, else 2 + its place in
 * the dictionary); number of template references (vint) and the place of each in the dictionary
 * (vint); the body; CRC32 of all that (4 bytes, little endian). References are the only part of a
 * block that names something outside of it: a merge changes them and copies the body.
 *
 * <p><b>Body.</b> Three sections. Directory: plain length and compressed length (vint each, the
 * latter 0 for plain), bytes. Packed values: length (vint), bytes. Text: number of frames (vint),
 * per frame plain and compressed length (vint each) and bytes. Compressed is zstd (RFC 8878)
 * without magic number, content size, dictionary id and checksum: the block's CRC covers it. A
 * frame holds about 16 KiB of text. A frame that begins with 0 (vint) has a base: the distance to
 * an earlier frame follows (vint), whose text is its raw dictionary and which has no base itself,
 * and then the lengths and bytes as above. The writer gives a base to the frames of a long column
 * that it makes shorter. The directory is: the shape of each document as {@link PackedLongs}; for
 * each shape the number of its values and their columns (vints); the number of columns; for each
 * the number of its values (vint), its kind and what {@link ColumnKind} says of the kind. Columns
 * take their packed values and their text in the order of the directory.
 *
 * <p><b>{@code _recovery_source}.</b> Where a mapping leaves fields out of {@code _source},
 * OpenSearch stores such a document a second time, whole, until no copy may ask for it any more. It
 * is nearly the same text with its fields in another order. So it stands among the other stored
 * fields as what it has beyond the document's {@code _source}, in the form of {@link PatchEncoder}.
 *
 * <p><b>Reading one document</b> reads and checks its block (30 to 100 KB for log lines), decodes
 * the directory, computes the document's place in each of its columns, and decodes the frames of
 * text it has values in. Packed values are read in place. Where the node has a cache, a block that
 * was read once is read there.
 *
 * <p><b>Segment attribute.</b> {@value #OTHERS_KEY}: the codec whose stored fields hold the rest.
 *
 * <p><b>Limits.</b> 4,096 shapes and 32,768 templates of a segment, 2 MiB of text each; 2,048
 * values and 16 KiB of shape of a document; beyond them documents are kept as they are and messages
 * as text. Only the first binary {@code _source} of a document is a column's.
 *
 * <p><b>Versions.</b> The version of {@code .msc} is 1 since frames have bases. A block is read by
 * what stands in it, so that a merge copies blocks of version 0 into a file of version 1. The
 * version of {@code .msm} is 1 since a {@code _recovery_source} is a difference; a segment of
 * before that has the field is merged document by document. A plugin that knows less refuses such a
 * segment when it is opened. A change that neither a block nor a version tells gets a new codec
 * name, and the old class stays for reading.
 *
 * <p>Sources: promise columnar-source; Rodrigues, Luo, Yuan, "CLP: Efficient and Scalable Search on
 * Compressed Text Logs", OSDI 2021 (templates and variables); Zukowski et al. 2006 (packed values
 * with exceptions); docs/columnar-source-measured.md.
 */
public final class ColumnarSourceFormat extends StoredFieldsFormat {
  /** Segment attribute: the codec of all other stored fields. */
  public static final String OTHERS_KEY = "ColumnarSourceFormat.others";

  static final String FIELD = "_source";

  /** Where OpenSearch keeps a document whole whose {@code _source} is not (SourceFieldMapper). */
  static final String RECOVERY = SourceFieldMapper.RECOVERY_SOURCE_NAME;

  static final String DATA = "MillraceSourceColumns";
  static final String META = "MillraceSourceColumnsMeta";

  /** A {@code _recovery_source} stands among the other stored fields as it is. */
  static final int META_FIRST_VERSION = 0;

  static final int META_VERSION = 1;

  /** No frame has a base, no column is kept as what its base64 stands for. */
  static final int FIRST_VERSION = 0;

  static final int VERSION = 1;
  static final String DATA_EXTENSION = "msc";
  static final String META_EXTENSION = "msm";

  private final @Nullable Codec others;
  private final int level;
  private final DecompressionContexts contexts;
  private final SourceCounters counters;
  private final ShapeBudget shapes;
  private final FilteredFetches fetches;
  private final BlockCaches caches;

  ColumnarSourceFormat() {
    this(
        null,
        ZstandardVariant.STANDARD.defaultLevel(),
        new DecompressionContexts(2 * Runtime.getRuntime().availableProcessors()),
        new SourceCounters(),
        ShapeBudget.ofHeap(),
        new FilteredFetches(),
        new BlockCaches());
  }

  private ColumnarSourceFormat(
      @Nullable Codec others,
      int level,
      DecompressionContexts contexts,
      SourceCounters counters,
      ShapeBudget shapes,
      FilteredFetches fetches,
      BlockCaches caches) {
    this.others = others;
    this.level = level;
    this.contexts = contexts;
    this.counters = counters;
    this.shapes = shapes;
    this.fetches = fetches;
    this.caches = caches;
  }

  /** The same format writing other stored fields with another codec. */
  ColumnarSourceFormat writing(Codec newOthers, int newLevel) {
    return new ColumnarSourceFormat(
        newOthers, newLevel, contexts, counters, shapes, fetches, caches);
  }

  /** The registry's own instance must not ask the registry while that is being built. */
  private Codec others() {
    return others == null ? ZstandardCodec.registered(ZstandardVariant.STANDARD) : others;
  }

  SourceCounters counters() {
    return counters;
  }

  /** Where blocks and their decoded text are cached. */
  BlockCaches caches() {
    return caches;
  }

  FilteredFetches fetches() {
    return fetches;
  }

  private static String file(SegmentInfo segment, String extension) {
    return IndexFileNames.segmentFileName(segment.name, "", extension);
  }

  @Override
  public StoredFieldsReader fieldsReader(
      Directory directory, SegmentInfo segment, FieldInfos fields, IOContext context)
      throws IOException {
    String codec = segment.getAttribute(OTHERS_KEY);
    if (codec == null) {
      throw new IllegalStateException(
          "segment " + segment.name + " has no attribute " + OTHERS_KEY);
    }
    StoredFieldsReader rest = null;
    IndexInput data = null;
    IndexInput meta = null;
    boolean opened = false;
    try {
      rest =
          Codec.forName(codec)
              .storedFieldsFormat()
              .fieldsReader(directory, segment, fields, context);
      data =
          caches
              .caching(directory, segment, file(segment, DATA_EXTENSION))
              .openInput(
                  file(segment, DATA_EXTENSION),
                  context.withHints(FileTypeHint.DATA, DataAccessHint.RANDOM));
      CodecUtil.checkIndexHeader(data, DATA, FIRST_VERSION, VERSION, segment.getId(), "");
      meta = directory.openInput(file(segment, META_EXTENSION), context);
      CodecUtil.checksumEntireFile(meta);
      int version =
          CodecUtil.checkIndexHeader(
              meta, META, META_FIRST_VERSION, META_VERSION, segment.getId(), "");
      SegmentLayout layout = SegmentLayout.read(meta, segment, data.getFilePointer(), shapes);
      long end = layout.pointers()[layout.blocks()];
      if (end + CodecUtil.footerLength() != data.length()) {
        throw new CorruptIndexException("blocks end at " + end, data);
      }
      CodecUtil.retrieveChecksum(data);
      opened = true;
      return new ColumnarSourceReader(
          rest,
          fields.fieldInfo(FIELD),
          fields.fieldInfo(RECOVERY),
          version > META_FIRST_VERSION,
          layout,
          data,
          meta,
          contexts,
          counters,
          fetches,
          true);
    } finally {
      if (!opened) {
        IOUtils.closeWhileHandlingException(rest, data, meta);
      }
    }
  }

  @Override
  public StoredFieldsWriter fieldsWriter(
      Directory directory, SegmentInfo segment, IOContext context) throws IOException {
    Codec codec = others();
    String previous = segment.putAttribute(OTHERS_KEY, codec.getName());
    if (previous != null && !previous.equals(codec.getName())) {
      throw new IllegalStateException(
          OTHERS_KEY + " of " + segment.name + " was " + previous + ", now " + codec.getName());
    }
    StoredFieldsWriter rest = null;
    IndexOutput data = null;
    IndexOutput meta = null;
    boolean opened = false;
    try {
      rest = codec.storedFieldsFormat().fieldsWriter(directory, segment, context);
      data = directory.createOutput(file(segment, DATA_EXTENSION), context);
      CodecUtil.writeIndexHeader(data, DATA, VERSION, segment.getId(), "");
      meta = directory.createOutput(file(segment, META_EXTENSION), context);
      CodecUtil.writeIndexHeader(meta, META, META_VERSION, segment.getId(), "");
      ColumnarSourceWriter writer = new ColumnarSourceWriter(rest, data, meta, level, counters);
      opened = true;
      return writer;
    } finally {
      if (!opened) {
        IOUtils.closeWhileHandlingException(rest, data, meta);
      }
    }
  }

  @Override
  public String toString() {
    return "ColumnarSourceFormat(" + others().getName() + ", level=" + level + ")";
  }
}
