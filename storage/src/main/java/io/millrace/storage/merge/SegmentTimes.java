package io.millrace.storage.merge;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.PointsReader;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.StringHelper;

/**
 * The first and last time of each segment, read once from the header of its points and remembered
 * while the segment exists.
 *
 * <p>One IndexWriter asks under its lock, but a context-aware index has several of them with one
 * policy (CompositeIndexWriter at 3.8.0).
 */
final class SegmentTimes {
  private static final Logger logger = LogManager.getLogger(SegmentTimes.class);

  /**
   * What a segment's documents span.
   *
   * @param from the first time, in the field's own unit
   * @param to the last time
   */
  record Span(long from, long to) {
    /** A segment without the field: sorted behind all others, in the order of its writing. */
    static final Span UNKNOWN = new Span(Long.MAX_VALUE, Long.MAX_VALUE);

    long middle() {
      return from / 2 + to / 2;
    }
  }

  private final String field;
  private final Map<String, Span> known = new HashMap<>();

  SegmentTimes(String field) {
    this.field = field;
  }

  /** Forgets segments that are gone. */
  synchronized void keepOnly(SegmentInfos infos) {
    if (known.size() > 2 * infos.size() + 16) {
      Set<String> present = new HashSet<>();
      for (SegmentCommitInfo info : infos) {
        present.add(key(info.info));
      }
      known.keySet().retainAll(present);
    }
  }

  synchronized Span of(SegmentCommitInfo segment) {
    return known.computeIfAbsent(key(segment.info), key -> read(segment.info));
  }

  private static String key(SegmentInfo segment) {
    return StringHelper.idToString(segment.getId());
  }

  /** A merge policy that throws would stop the index: what cannot be read is unknown. */
  private Span read(SegmentInfo segment) {
    Codec codec = segment.getCodec();
    try {
      if (!segment.getUseCompoundFile()) {
        return read(codec, segment.dir, segment);
      }
      try (Directory compound = codec.compoundFormat().getCompoundReader(segment.dir, segment)) {
        return read(codec, compound, segment);
      }
    } catch (IOException | RuntimeException e) {
      logger.debug("no times of segment {}", segment.name, e);
      return Span.UNKNOWN;
    }
  }

  private Span read(Codec codec, Directory directory, SegmentInfo segment) throws IOException {
    FieldInfos fields = codec.fieldInfosFormat().read(directory, segment, "", IOContext.DEFAULT);
    FieldInfo info = fields.fieldInfo(field);
    if (info == null
        || info.getPointDimensionCount() != 1
        || info.getPointNumBytes() != Long.BYTES) {
      return Span.UNKNOWN;
    }
    SegmentReadState state = new SegmentReadState(directory, segment, fields, IOContext.DEFAULT);
    try (PointsReader points = codec.pointsFormat().fieldsReader(state)) {
      PointValues values = points.getValues(field);
      return values == null || values.size() == 0
          ? Span.UNKNOWN
          : new Span(
              LongPoint.decodeDimension(values.getMinPackedValue(), 0),
              LongPoint.decodeDimension(values.getMaxPackedValue(), 0));
    }
  }
}
