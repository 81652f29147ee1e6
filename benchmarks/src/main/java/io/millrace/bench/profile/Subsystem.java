package io.millrace.bench.profile;

import java.util.List;

/**
 * What a node does while it indexes, told from a stack: the first entry that one of the frames
 * belongs to. Frames are {@code package.Class.method} of OpenSearch 3.8.0 and Lucene 10.
 */
enum Subsystem {
  MERGE("merge", "index.SegmentMerger.", "IndexWriter.mergeMiddle"),
  FLUSH_TERMS("flush: terms dictionary and postings", "FreqProxTermsWriter.flush"),
  FLUSH_POINTS("flush: points", "IndexingChain.writePoints"),
  FLUSH_DOC_VALUES("flush: doc values", "IndexingChain.writeDocValues"),
  FLUSH_NORMS("flush: norms", "IndexingChain.writeNorms"),
  FLUSH_COMPOUND("flush: copy into a compound file", "sealFlushedSegment"),
  FLUSH("flush: other", "DocumentsWriterPerThread.flush", "IndexingChain.flush"),
  LATE(
      "index: tokens of log_text, gathered",
      "lateinversion.TermWriter",
      "lateinversion.FieldTerms"),
  STORED("index: stored fields (_source)", "StoredFieldsConsumer", "StoredFieldsWriter"),
  DOC_VALUES("index: doc values", "IndexingChain.indexDocValue"),
  POINTS("index: points", "PointValuesWriter"),
  TOKENS("index: tokens of text", ".incrementToken", ".tokenStream"),
  TERM_HASH("index: term hash", "index.TermsHashPerField.add", "BytesRefHash.add") {
    @Override
    boolean matches(List<String> frames) {
      return super.matches(frames) && contains(frames, "util.BytesRefHash.");
    }
  },
  POSTINGS("index: postings and norms in memory", "IndexingChain$PerField.invert"),
  CHAIN("index: rest of Lucene's chain", "IndexingChain.process", "IndexingChain.updateDoc"),
  WRITER("index: rest of IndexWriter", "IndexWriter.", "DocumentsWriter."),
  TRANSLOG("translog", ".translog."),
  PARSE("JSON to Lucene document", ".prepareIndex", "DocumentParser."),
  ENGINE("engine: versions, sequence numbers, locks", "InternalEngine."),
  SHARD("shard bulk and replication", "TransportShardBulkAction", "ReplicationOperation"),
  BULK_BODY("bulk: reading the body", "BulkRequestParser"),
  RESPONSE("bulk: writing the response", "toXContent"),
  BULK("bulk: coordination", "TransportBulkAction", "BulkRoutingFilter"),
  NETTY("HTTP and network", "io.netty.", ".http."),
  SEARCH("search", "org.opensearch.search."),
  OTHER("other");

  private final String title;
  private final List<String> marks;

  Subsystem(String title, String... marks) {
    this.title = title;
    this.marks = List.of(marks);
  }

  String title() {
    return title;
  }

  /** The subsystem of a stack. */
  static Subsystem of(List<String> frames) {
    for (Subsystem subsystem : values()) {
      if (subsystem.matches(frames)) {
        return subsystem;
      }
    }
    return OTHER;
  }

  boolean matches(List<String> frames) {
    return marks.stream().anyMatch(mark -> contains(frames, mark));
  }

  private static boolean contains(List<String> frames, String mark) {
    return frames.stream().anyMatch(frame -> frame.contains(mark));
  }
}
