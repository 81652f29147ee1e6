package io.millrace.guard.bodies;

import io.millrace.kernel.slot.ActionOrder;
import java.util.Collection;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.ingest.SimulatePipelineRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.script.Script;
import org.opensearch.tasks.Task;

/**
 * Counts the documents of a bulk that become maps: those of pipelines all at once (IngestService
 * #runBulkRequestInBatch at 3.8.0 makes the maps of all before the first is changed), and the
 * parameters of the scripts of updates, which are maps already.
 *
 * <p>A document that goes through no pipeline counts only if it alone would exceed the limit as a
 * map: every later update of it, and every search that asks for a part of its source, makes one.
 */
public final class BulkForms implements ActionFilter {
  /** What a usual document takes as a map for each of its bytes. */
  private static final int USUAL = 8;

  private static final int NODE = 64;
  private static final int DEEPEST = 100;

  private final BooleanSupplier on;
  private final ParsedBodies bodies;
  private final Supplier<@Nullable Metadata> metadata;

  /** What the items of one bulk take. */
  private final class Sum {
    private final Pipelines pipelines;
    private long length;
    private long piped;
    private long params;
    private long largest;
    private long largestLength;

    Sum(Pipelines pipelines) {
      this.pipelines = pipelines;
    }

    void add(DocWriteRequest<?> item) {
      if (item instanceof UpdateRequest update) {
        Script script = update.script();
        params += script == null ? 0 : ofObject(script.getParams(), 0);
        index(update.upsertRequest(), true);
        index(update.doc(), false);
      } else if (item instanceof IndexRequest index) {
        index(index, true);
      }
    }

    private void index(@Nullable IndexRequest request, boolean through) {
      BytesReference source = request == null ? null : request.source();
      if (request == null || source == null) {
        return;
      }
      if (through && pipelines.has(request)) {
        length += source.length();
        piped += form(source, request.getContentType(), bodies.limits().uncounted());
      } else if ((long) source.length() * ParsedForm.WORST
          > bodies.limits().request().getAsLong()) {
        MediaType type = request.getContentType();
        long form = type == null ? 0 : ParsedForm.of(source, type);
        if (form > largest) {
          largest = form;
          largestLength = source.length();
        }
      }
    }

    @Nullable Releasable take() {
      if (largest > bodies.limits().request().getAsLong()) {
        bodies.take("a document", largestLength, largest).close(); // throws
      }
      long kept = piped + params;
      return kept == 0
          ? null
          : bodies.take("what pipelines and scripts get of a bulk", length, kept);
    }
  }

  /**
   * A filter that counts in these bodies.
   *
   * @param metadata of the cluster; {@code null} before it is known
   */
  public BulkForms(BooleanSupplier on, ParsedBodies bodies, Supplier<@Nullable Metadata> metadata) {
    this.on = on;
    this.bodies = bodies;
    this.metadata = metadata;
  }

  /** Short documents are taken for usual ones: to look at them costs more than they can. */
  private static long form(BytesReference source, @Nullable MediaType type, long uncounted) {
    return type == null || source.length() <= uncounted
        ? (long) USUAL * source.length()
        : ParsedForm.ofPiped(source, type);
  }

  private static long ofObject(@Nullable Object value, int depth) {
    if (value == null || depth > DEEPEST) {
      return 0;
    }
    long sum = NODE;
    if (value instanceof Map<?, ?> map) {
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        sum += NODE + ofObject(entry.getValue(), depth + 1);
      }
    } else if (value instanceof Collection<?> list) {
      for (Object each : list) {
        sum += ofObject(each, depth + 1);
      }
    } else if (value instanceof String text) {
      sum += text.length();
    }
    return sum;
  }

  @Override
  public int order() {
    return ActionOrder.LIMIT.order();
  }

  @Override
  public <Request extends ActionRequest, Response extends ActionResponse> void apply(
      Task task,
      String action,
      Request request,
      ActionRequestMetadata<Request, Response> ignored,
      ActionListener<Response> listener,
      ActionFilterChain<Request, Response> chain) {
    if (!(request instanceof BulkRequest || request instanceof SimulatePipelineRequest)
        || !on.getAsBoolean()) {
      chain.proceed(task, action, request, listener);
      return;
    }
    Releasable taken;
    try {
      taken =
          request instanceof SimulatePipelineRequest simulation
              ? Simulated.take(simulation, bodies, metadata.get())
              : take((BulkRequest) request);
    } catch (OpenSearchException e) {
      listener.onFailure(e);
      return;
    }
    if (taken == null) {
      chain.proceed(task, action, request, listener);
      return;
    }
    try {
      chain.proceed(task, action, request, ActionListener.runAfter(listener, taken::close));
    } catch (RuntimeException e) {
      taken.close();
      throw e;
    }
  }

  private @Nullable Releasable take(BulkRequest bulk) {
    Sum sum = new Sum(new Pipelines(metadata.get()));
    for (DocWriteRequest<?> item : bulk.requests()) {
      sum.add(item);
    }
    return sum.take();
  }
}
