package io.millrace.pipelines.intake;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;

/**
 * Writes the documents of one request through the ordinary bulk action and says what became of
 * them.
 *
 * <p>Some megabytes at a time, so that what a small body expands to is never on the heap at once.
 * What the node or a shard has no room for at the moment is tried again here: a client that is told
 * to send again sends all of it. Ids are the documents' own, so that nothing is written twice.
 */
public final class AcknowledgedWrite {
  /** Bytes of documents in one bulk. */
  static final long CHUNK = 4 << 20;

  private static final TimeValue FIRST_PAUSE = TimeValue.timeValueMillis(50);
  private static final TimeValue LONGEST_PAUSE = TimeValue.timeValueSeconds(1);

  private final Client client;
  private final ThreadPool threads;
  private final Documents documents;
  private final long deadline;
  private final Consumer<IntakeOutcome> done;

  private long written;
  private long known;
  private long refused;
  private String refusal = "";
  private long pause = FIRST_PAUSE.millis();

  private AcknowledgedWrite(
      Client client,
      ThreadPool threads,
      Documents documents,
      TimeValue retryWithin,
      Consumer<IntakeOutcome> done) {
    this.client = client;
    this.threads = threads;
    this.documents = documents;
    this.deadline = threads.relativeTimeInMillis() + retryWithin.millis();
    this.done = done;
  }

  /**
   * Starts to write; the outcome is given once, on any thread.
   *
   * @param client in whose name is written
   * @param retryWithin for how long what meets no room is tried again
   */
  public static void start(
      Client client,
      ThreadPool threads,
      Documents documents,
      TimeValue retryWithin,
      Consumer<IntakeOutcome> done) {
    new AcknowledgedWrite(client, threads, documents, retryWithin, done).goOn();
  }

  private void goOn() {
    List<IndexRequest> chunk = new ArrayList<>();
    try {
      long bytes = 0;
      while (bytes < CHUNK) {
        IndexRequest next = documents.next();
        if (next == null) {
          break;
        }
        chunk.add(next);
        bytes += next.source().length();
      }
    } catch (IOException | RuntimeException e) {
      finish(
          new IntakeOutcome.Failure(
              e instanceof IOException ? RestStatus.BAD_REQUEST : ExceptionsHelper.status(e),
              message(e)
                  + (written == 0 ? "" : "; [" + written + "] records before it are written")));
      return;
    }
    if (chunk.isEmpty()) {
      finish(null);
    } else {
      write(chunk);
    }
  }

  private void write(List<IndexRequest> chunk) {
    BulkRequest bulk = new BulkRequest();
    chunk.forEach(bulk::add);
    client.bulk(
        bulk,
        ActionListener.wrap(response -> count(chunk, response), failure -> failed(chunk, failure)));
  }

  private void count(List<IndexRequest> chunk, BulkResponse response) {
    List<IndexRequest> again = new ArrayList<>();
    BulkItemResponse.Failure why = null;
    for (BulkItemResponse item : response) {
      if (!item.isFailed()) {
        written++;
      } else if (item.status() == RestStatus.CONFLICT) {
        known++;
      } else if (passing(item.getFailure().getCause(), item.status())) {
        again.add(chunk.get(item.getItemId()));
        why = item.getFailure();
      } else {
        refused++;
        if (refusal.isEmpty()) {
          refusal = message(item.getFailure().getCause());
        }
      }
    }
    if (why != null) {
      later(again, why.getCause(), why.getStatus());
    } else {
      pause = FIRST_PAUSE.millis();
      goOn();
    }
  }

  private void failed(List<IndexRequest> chunk, Exception failure) {
    RestStatus status = ExceptionsHelper.status(failure);
    if (passing(failure, status)) {
      later(chunk, failure, status);
    } else {
      finish(new IntakeOutcome.Failure(status, message(failure)));
    }
  }

  /**
   * An index that is blocked is open again once somebody has made room: no document is at fault.
   */
  private static boolean passing(Throwable cause, RestStatus status) {
    return IntakeOutcome.Failure.passing(status)
        || ExceptionsHelper.unwrap(cause, ClusterBlockException.class) != null;
  }

  private void later(List<IndexRequest> again, Throwable cause, RestStatus status) {
    if (threads.relativeTimeInMillis() + pause > deadline) {
      finish(
          new IntakeOutcome.Failure(
              IntakeOutcome.Failure.passing(status) ? status : RestStatus.SERVICE_UNAVAILABLE,
              message(cause)));
      return;
    }
    try {
      threads.schedule(
          () -> write(again), TimeValue.timeValueMillis(pause), ThreadPool.Names.GENERIC);
    } catch (RuntimeException closing) {
      finish(new IntakeOutcome.Failure(RestStatus.SERVICE_UNAVAILABLE, message(cause)));
      return;
    }
    pause = Math.min(pause * 2, LONGEST_PAUSE.millis());
  }

  private static String message(Throwable cause) {
    Throwable root = ExceptionsHelper.unwrapCause(cause);
    String text = String.valueOf(root.getMessage());
    return root.getCause() == null || root.getCause() == root
        ? text
        : text + ": " + root.getCause().getMessage();
  }

  private void finish(IntakeOutcome.@Nullable Failure failure) {
    String why = refusal.isEmpty() ? documents.leftBecause() : refusal;
    done.accept(new IntakeOutcome(written, known, refused + documents.left(), why, failure));
  }
}
