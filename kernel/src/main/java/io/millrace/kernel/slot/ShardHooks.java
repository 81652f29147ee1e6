package io.millrace.kernel.slot;

import org.jspecify.annotations.Nullable;
import org.opensearch.index.engine.Engine;
import org.opensearch.index.mapper.DocumentMapper;
import org.opensearch.index.mapper.ParsedDocument;
import org.opensearch.index.mapper.SourceToParse;

/**
 * What an extension does in the engine of one shard. All methods are called by many write threads
 * at the same time.
 */
public interface ShardHooks {

  /** Does nothing: what an extension that only configures returns. */
  ShardHooks NONE = new ShardHooks() {};

  /**
   * Turns a source into the Lucene document that stock would make, or declines.
   *
   * <p>Called for operations of every origin (IndexShard#applyIndexOperation at 3.8.0: primary,
   * replica, peer recovery, translog replay) while the shard's mapping is complete. The first
   * extension that answers wins.
   *
   * @return the document, or {@code null} to leave it to the next extension and in the end to
   *     stock's {@code DocumentMapper.parse}; must not throw for a bad document: decline, and stock
   *     gives its own error
   */
  default @Nullable PreparedDocument parse(DocumentMapper mapper, SourceToParse source) {
    return null;
  }

  /**
   * A second way for a source that stock's parser refuses, or whose mapping update may be refused.
   *
   * <p>Called on the thread of the operation, after stock's parser. The first extension that
   * answers wins.
   *
   * @return the document to index instead; {@code null} leaves it to stock: the refusal stands, or
   *     the update is asked for
   */
  default @Nullable ParsedDocument parseAgain(SecondAttempt attempt) {
    return null;
  }

  /** Whether {@link #parseAgain} does anything at all. */
  default boolean parsesAgain() {
    return false;
  }

  /**
   * Whether the id of an operation has certainly never been written to this shard: neither indexed
   * nor deleted, by an operation of any origin. Where it is and {@code useful} is true, the engine
   * appends without looking for an earlier version; a wrong {@code true} makes duplicates.
   *
   * <p>Called for every index operation while {@link #plansOperations} is true, under the lock of
   * the operation's id (InternalEngine#index at 3.8.0): calls for the same id never overlap, and
   * the operation has not been executed yet.
   *
   * @param useful whether the engine would append: false for what carries its own proof of order (a
   *     replica's or replayed operation, a sequence number, an external version, a retry, an id
   *     that OpenSearch made); such an operation writes its id all the same
   */
  default boolean provesNew(Engine.Index operation, boolean useful) {
    return false;
  }

  /** Before a delete of any origin is planned, under the lock of its id; see {@link #provesNew}. */
  default void deleting(Engine.Delete operation) {}

  /** Whether {@link #provesNew} and {@link #deleting} do anything at all. */
  default boolean plansOperations() {
    return false;
  }

  /**
   * The engine that these hooks are in exists now; called once, before any operation. For what only
   * an engine tells, such as {@code refreshNeeded}; not for writing to it.
   */
  default void opened(Engine engine) {}

  /** As {@link #opened(Engine)}, for hooks that look at what was written before them. */
  default void opened(Engine engine, WriteBarrier barrier) {
    opened(engine);
  }

  /** The engine is closed: nothing comes any more. May be called more than once. */
  default void closed() {}

  /**
   * Before Lucene sees the documents of an index operation, of any origin and on every copy. May
   * change their Lucene fields, but no answer: the translog and other copies get the source, and
   * make the fields anew. Must not throw; may be called again with documents it has changed.
   */
  default void indexing(Engine.Index operation) {}

  /** Whether {@link #indexing} does anything at all. */
  default boolean changesDocuments() {
    return false;
  }

  /** After an index operation has gone through the engine, whether it succeeded or not. */
  default void indexed(Engine.Index operation, Engine.IndexResult result) {}

  /** After a delete has gone through the engine, whether it succeeded or not. */
  default void deleted(Engine.Delete operation, Engine.DeleteResult result) {}

  /** Whether {@link #indexed} and {@link #deleted} do anything at all. */
  default boolean followsOperations() {
    return false;
  }
}
