package io.millrace.write.fastengine;

import io.millrace.kernel.settings.Switch;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.apache.lucene.store.AlreadyClosedException;
import org.opensearch.common.util.concurrent.ReleasableLock;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.index.translog.InternalTranslogFactory;
import org.opensearch.index.translog.LocalTranslog;
import org.opensearch.index.translog.Translog;
import org.opensearch.index.translog.TranslogConfig;
import org.opensearch.index.translog.TranslogDeletionPolicy;
import org.opensearch.index.translog.TranslogException;
import org.opensearch.index.translog.TranslogFactory;
import org.opensearch.index.translog.TranslogOperationHelper;

/**
 * Stock's translog on local disk, whose operations are written by {@link OperationBytes}: the same
 * files, byte for byte, and everything else is stock's.
 *
 * <p>Source: Translog#add at 3.8.0, public and not final. A long operation is stock's, so that a
 * thread keeps no large buffer; so is one that stock refuses for its term.
 */
final class LeanTranslog extends LocalTranslog {
  /** Bytes; longer operations are written by stock. */
  static final int LONGEST = 32 * 1024;

  private final Switch enabled;
  private final ThreadLocal<OperationBytes> writers;

  private LeanTranslog(
      TranslogConfig config,
      String uuid,
      TranslogDeletionPolicy deletionPolicy,
      LongSupplier globalCheckpoint,
      LongSupplier primaryTerm,
      LongConsumer persisted,
      TranslogOperationHelper helper,
      Switch enabled,
      ThreadLocal<OperationBytes> writers)
      throws IOException {
    super(config, uuid, deletionPolicy, globalCheckpoint, primaryTerm, persisted, helper);
    this.enabled = enabled;
    this.writers = writers;
  }

  /** Makes these translogs where stock would make its own on local disk. */
  static TranslogFactory factory(Switch enabled, ThreadLocal<OperationBytes> writers) {
    return new InternalTranslogFactory() {
      @Override
      public Translog newTranslog(
          TranslogConfig config,
          String uuid,
          TranslogDeletionPolicy deletionPolicy,
          LongSupplier globalCheckpoint,
          LongSupplier primaryTerm,
          LongConsumer persisted,
          BooleanSupplier startedPrimary,
          TranslogOperationHelper helper)
          throws IOException {
        return new LeanTranslog(
            config,
            uuid,
            deletionPolicy,
            globalCheckpoint,
            primaryTerm,
            persisted,
            helper,
            enabled,
            writers);
      }
    };
  }

  @Override
  public Location add(Operation operation) throws IOException {
    if (!enabled.on() || operation.estimateSize() > LONGEST) {
      return super.add(operation);
    }
    try {
      BytesReference bytes = writers.get().write(operation);
      try (ReleasableLock ignored = readLock.acquire()) {
        ensureOpen();
        if (operation.primaryTerm() <= current.getPrimaryTerm()) {
          return current.add(bytes, operation.seqNo());
        }
      }
    } catch (AlreadyClosedException | IOException e) {
      closeOnTragicEvent(e);
      throw e;
    } catch (RuntimeException e) {
      closeOnTragicEvent(e);
      throw new TranslogException(shardId, "Failed to write operation [" + operation + "]", e);
    }
    return super.add(operation);
  }
}
