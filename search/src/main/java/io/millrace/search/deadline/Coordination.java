package io.millrace.search.deadline;

import io.millrace.kernel.NodeServices;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.admin.cluster.node.tasks.cancel.CancelTasksRequest;
import org.opensearch.action.admin.cluster.node.tasks.get.GetTaskAction;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.IndexSettings;
import org.opensearch.search.SearchService;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.pipeline.SearchPipelineService;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.threadpool.Scheduler.Cancellable;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.OriginSettingClient;

/** What the node that coordinates a search knows of it, and does to it, through its services. */
final class Coordination {
  /** In which a search that was stopped answers what it has, or why it has nothing. */
  private static final TimeValue LAST_WORDS = TimeValue.timeValueMillis(200);

  private final NodeServices services;
  private volatile @Nullable Pipelines pipelines;

  /** Whether any index of a cluster state names a pipeline for its searches. */
  private record Pipelines(Metadata metadata, boolean any) {}

  /** The cluster's time for searches without one; each search asks for it. */
  private volatile TimeValue byDefault = SearchService.NO_TIMEOUT;

  Coordination(NodeServices services) {
    this.services = services;
    ClusterSettings settings = services.clusterService().getClusterSettings();
    Setting<TimeValue> timeout = SearchService.DEFAULT_SEARCH_TIMEOUT_SETTING;
    settings.addSettingsUpdateConsumer(timeout, time -> byDefault = time);
    byDefault = settings.get(timeout);
  }

  /** The time of a search: its own, or the cluster's for searches without one. */
  TimeValue timeout(SearchRequest request) {
    SearchSourceBuilder source = request.source();
    TimeValue asked = source == null ? null : source.timeout();
    return asked != null ? asked : byDefault;
  }

  private <T> T setting(Setting<T> setting) {
    return services.clusterService().getClusterSettings().get(setting);
  }

  /** What this node can do without hits that are not read in time. */
  Deadline.Unread unread(SearchRequest request) {
    Boolean asked = request.allowPartialSearchResults();
    if (!(asked != null ? asked : setting(SearchService.DEFAULT_ALLOW_PARTIAL_SEARCH_RESULTS))) {
      return Deadline.Unread.REFUSED;
    }
    return onlyAnswered(request) ? Deadline.Unread.LEFT_OUT : Deadline.Unread.AWAITED;
  }

  /** Whether nothing reads the hits before they are answered: neither a phase nor a processor. */
  private boolean onlyAnswered(SearchRequest request) {
    SearchSourceBuilder source = request.source();
    return request.pipeline() == null
        && (source == null
            || (source.pipeline() == null
                && source.searchPipelineSource() == null
                && source.collapse() == null
                && source.suggest() == null
                && source.ext().isEmpty()))
        && !pipelineByDefault(request);
  }

  private boolean pipelineByDefault(SearchRequest request) {
    ClusterState state = services.clusterService().state();
    if (!anyPipeline(state.metadata())) {
      return false;
    }
    try {
      return Arrays.stream(services.indexNameExpressionResolver().concreteIndices(state, request))
          .anyMatch(index -> hasPipeline(state.metadata().getIndexSafe(index)));
    } catch (RuntimeException e) {
      return true; // stock will say what is wrong with the names
    }
  }

  private boolean anyPipeline(Metadata metadata) {
    Pipelines known = pipelines;
    if (known == null || known.metadata != metadata) {
      boolean any = false;
      for (IndexMetadata index : metadata) {
        any |= hasPipeline(index);
      }
      known = new Pipelines(metadata, any);
      pipelines = known;
    }
    return known.any;
  }

  private static boolean hasPipeline(IndexMetadata index) {
    return !IndexSettings.DEFAULT_SEARCH_PIPELINE
        .get(index.getSettings())
        .equals(SearchPipelineService.NOOP_PIPELINE_ID);
  }

  /**
   * Cancels a search with all its phases on all nodes at the end of its time and the grace. It is
   * answered soon after that, whatever it does: a reduction does not see that it was cancelled.
   *
   * @param answer is run before, and gives the reason
   */
  Cancellable stopLater(
      CancellableTask task, TimeValue timeout, TimeValue grace, TimedAnswer<?> answer) {
    return services
        .threadPool()
        .schedule(
            () -> {
              answer.run();
              services.threadPool().schedule(answer::giveUp, LAST_WORDS, ThreadPool.Names.GENERIC);
              CancelTasksRequest cancel = new CancelTasksRequest();
              cancel.setTaskId(
                  new TaskId(services.clusterService().localNode().getId(), task.getId()));
              cancel.setReason(answer.reason());
              new OriginSettingClient(services.client(), GetTaskAction.TASKS_ORIGIN)
                  .admin()
                  .cluster()
                  .cancelTasks(cancel, ActionListener.wrap(() -> {}));
            },
            TimeValue.timeValueMillis(timeout.millis() + grace.millis()),
            ThreadPool.Names.GENERIC);
  }
}
