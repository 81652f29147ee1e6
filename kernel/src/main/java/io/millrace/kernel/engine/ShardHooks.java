package io.millrace.kernel.engine;

import org.jspecify.annotations.Nullable;
import org.opensearch.index.engine.Engine;
import org.opensearch.index.mapper.DocumentMapper;
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
   * <p>Called for operations of every origin (IndexShard.java:1266 at 3.8.0: primary, replica, peer
   * recovery, translog replay) while the shard's mapping is complete. The first extension that
   * answers wins.
   *
   * @return the document, or {@code null} to leave it to the next extension and in the end to
   *     stock's {@code DocumentMapper.parse}; must not throw for a bad document: decline, and stock
   *     gives its own error
   */
  default @Nullable PreparedDocument parse(DocumentMapper mapper, SourceToParse source) {
    return null;
  }

  /**
   * The operation that the engine plans instead of the given one, for example a copy that says that
   * the id is certainly new. The operation itself is indexed unchanged. Called under the lock of
   * the operation's id (InternalEngine.java:904 at 3.8.0).
   *
   * @return the same object to plan as stock does
   */
  default Engine.Index planAs(Engine.Index operation) {
    return operation;
  }

  /**
   * The engine that these hooks are in exists now; called once, before any operation. For what only
   * an engine tells, such as {@code refreshNeeded}; not for writing to it.
   */
  default void opened(Engine engine) {}

  /** After an index operation has gone through the engine, whether it succeeded or not. */
  default void indexed(Engine.Index operation, Engine.IndexResult result) {}

  /** After a delete has gone through the engine, whether it succeeded or not. */
  default void deleted(Engine.Delete operation, Engine.DeleteResult result) {}

  /** Whether {@link #planAs}, {@link #indexed} and {@link #deleted} do anything at all. */
  default boolean followsOperations() {
    return false;
  }
}
