package io.millrace.bench.peers;

import io.millrace.bench.workload.BulkFile;
import java.io.IOException;
import java.nio.file.Path;

/** A running store under test, with nothing in it. Closing it stops its process. */
public interface Peer extends AutoCloseable {
  /** The documents in the two forms that sides take, the same bytes in both. */
  record Documents(BulkFile bulks, Path lines) {}

  /** The process whose CPU is measured. */
  long pid();

  /** What runs, with its version. */
  String version();

  /** Does what a side needs before it runs as it does after minutes: nothing, for most. */
  default void warmUp(Documents documents, long count) throws IOException {}

  /** Loads all documents; returns when they can be found and nothing works on them any more. */
  void load(Documents documents) throws IOException;

  /** Compacts as far as the side can by its own command; returns when that is done. */
  void merge() throws IOException;

  /** The bytes on disk that hold the documents. */
  long bytes() throws IOException;

  /** Asks and waits for the whole answer. */
  PeerAnswer ask(PeerSearch search) throws IOException;

  /** How many documents match, without the limit of the newest. */
  long hits(PeerSearch search) throws IOException;

  @Override
  void close() throws IOException;
}
