package io.millrace.access.authorization;

import io.millrace.access.identity.Identity;
import java.util.List;
import org.opensearch.OpenSearchSecurityException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.admin.cluster.node.tasks.cancel.CancelTasksRequest;
import org.opensearch.action.admin.cluster.node.tasks.get.GetTaskRequest;
import org.opensearch.action.admin.cluster.node.tasks.get.GetTaskResponse;
import org.opensearch.action.admin.cluster.node.tasks.list.ListTasksResponse;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.tasks.TaskInfo;
import org.opensearch.transport.client.Client;

/** Tasks of somebody who may not see those of others: a task keeps whose it is in its headers. */
final class OwnTasks {
  private final Client client;

  OwnTasks(Client client) {
    this.client = client;
  }

  private static boolean own(Identity who, TaskInfo task) {
    return who.text().equals(task.getHeaders().get(Identity.HEADER));
  }

  /** Leaves other people's tasks out of a list. */
  @SuppressWarnings("unchecked") // the action's own answer
  static <A extends ActionResponse> ActionListener<A> onlyOwn(
      Identity who, ActionListener<A> listener) {
    return ActionListener.map(
        listener,
        answer -> {
          ListTasksResponse all = (ListTasksResponse) answer;
          List<TaskInfo> own = all.getTasks().stream().filter(task -> own(who, task)).toList();
          return (A) new ListTasksResponse(own, all.getTaskFailures(), all.getNodeFailures());
        });
  }

  /** Refuses the answer when the task is somebody else's. */
  static <A extends ActionResponse> ActionListener<A> ifOwn(
      Identity who, ActionListener<A> listener) {
    return ActionListener.map(
        listener,
        answer -> {
          if (!own(who, ((GetTaskResponse) answer).getTask().getTask())) {
            throw notYours();
          }
          return answer;
        });
  }

  /**
   * Goes on when the task that is to be cancelled is one's own.
   *
   * @param goOn cancels it
   */
  <A> void cancel(ActionRequest request, ActionListener<A> listener, Runnable goOn) {
    CancelTasksRequest cancel = (CancelTasksRequest) request;
    if (!cancel.getTaskId().isSet()) {
      throw notYours();
    }
    // asked as this user, who is shown only their own
    client
        .admin()
        .cluster()
        .getTask(
            new GetTaskRequest().setTaskId(cancel.getTaskId()),
            ActionListener.wrap(task -> goOn.run(), listener::onFailure));
  }

  private static OpenSearchSecurityException notYours() {
    return new OpenSearchSecurityException(
        "[task_id] is not a task of this user; other people's need the cluster privilege [monitor]"
            + " to be seen and [manage] to be cancelled",
        RestStatus.FORBIDDEN);
  }
}
