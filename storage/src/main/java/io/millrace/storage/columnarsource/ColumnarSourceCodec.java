package io.millrace.storage.columnarsource;

import io.millrace.storage.columnarsource.block.SourceCounters;
import io.millrace.storage.offheapcache.BlockCaches;
import io.millrace.storage.zstandard.ZstandardCodec;
import io.millrace.storage.zstandard.ZstandardVariant;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;

/**
 * A zstandard codec whose {@code _source} is stored as columns; every other part of a segment is
 * that codec's.
 *
 * <p>Lucene's registry creates one per JVM through the public constructor and opens segments with
 * it; {@link #over} makes one per shard for writing, as ZstandardCodec does.
 */
public final class ColumnarSourceCodec extends FilterCodec implements BlockCaches.User {
  /** The name that segments carry; it changes with every change of the format. */
  public static final String NAME = "Millrace1050ColumnarSource";

  private final ColumnarSourceFormat storedFields;

  /** For Lucene's registry. */
  public ColumnarSourceCodec() {
    super(NAME, new Lucene104Codec());
    storedFields = new ColumnarSourceFormat();
  }

  private ColumnarSourceCodec(ColumnarSourceFormat storedFields, Codec delegate) {
    super(NAME, delegate);
    this.storedFields = storedFields;
  }

  /**
   * The codec that Lucene's registry holds.
   *
   * @throws IllegalArgumentException if the plugin's jar has lost its META-INF/services
   */
  static ColumnarSourceCodec registered() {
    return (ColumnarSourceCodec) Codec.forName(NAME);
  }

  /** A codec that writes columns and, beside them, whatever {@code zstandard} does. */
  Codec over(Codec zstandard, int level) {
    return new ColumnarSourceCodec(storedFields.writing(zstandard, level), zstandard);
  }

  /** A codec that writes columns beside a variant at its default level, over Lucene's own. */
  public static Codec writing(ZstandardVariant variant) {
    int level = variant.defaultLevel();
    return registered()
        .over(ZstandardCodec.registered(variant).over(new Lucene104Codec(), level), level);
  }

  SourceCounters counters() {
    return storedFields.counters();
  }

  @Override
  public BlockCaches blockCaches() {
    return storedFields.caches();
  }

  FilteredFetches fetches() {
    return storedFields.fetches();
  }

  @Override
  public StoredFieldsFormat storedFieldsFormat() {
    return storedFields;
  }
}
