package io.millrace.guard.phases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.opensearch.action.search.SearchShardTask;
import org.opensearch.core.tasks.TaskId;

class CheckPointTaskTest {
  private final SearchShardTask real =
      new SearchShardTask(
          7,
          "type",
          "action",
          "description",
          new TaskId("node", 3),
          Map.of("X-Opaque-Id", "me"),
          () -> "metadata");
  private final AtomicInteger asked = new AtomicInteger();
  private final CheckPointTask task = new CheckPointTask(real, asked::incrementAndGet);

  @Test
  void everyQuestionIsACheckPoint() {
    assertFalse(task.isCancelled());
    assertFalse(task.isCancelled());
    assertEquals(2, asked.get());
  }

  @Test
  void whoeverCancelsOneCancelsBoth() {
    task.cancel("enough");
    assertTrue(real.isCancelled());
    assertTrue(task.isCancelled());
    assertEquals("enough", task.getReasonCancelled());
    assertEquals(real.getCancellationStartTime(), task.getCancellationStartTime());
    assertEquals(real.getCancellationStartTimeNanos(), task.getCancellationStartTimeNanos());
  }

  @Test
  void everythingElseIsTheRealTasks() {
    assertSame(real, CheckPointTask.real(task));
    assertSame(real, CheckPointTask.real(real));
    assertEquals(7, task.getId());
    assertEquals("type", task.getType());
    assertEquals("action", task.getAction());
    assertEquals("description", task.getDescription());
    assertEquals(new TaskId("node", 3), task.getParentTaskId());
    assertEquals("me", task.getHeader("X-Opaque-Id"));
    assertEquals("metadata", task.getTaskMetadata());
    assertEquals(real.getStartTime(), task.getStartTime());
    assertEquals(real.getStartTimeNanos(), task.getStartTimeNanos());
    assertEquals(0, asked.get());
  }
}
