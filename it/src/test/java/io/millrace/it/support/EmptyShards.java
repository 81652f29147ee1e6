package io.millrace.it.support;

import io.millrace.testkit.http.JsonHttp;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many shards without documents, for what a cluster's size costs. */
public final class EmptyShards {
  private static final int OF_AN_INDEX = 10;
  private static final int AT_ONCE = 4;

  /** Patience with shards that come up: 20 requests of 50 s. */
  private static final int LOOKS = 20;

  private EmptyShards() {}

  /**
   * Makes indices of ten shards without copies and waits until all have started.
   *
   * @param from shards that an earlier call made
   * @param to shards that there are afterwards; both are rounded up to tens
   */
  public static void make(JsonHttp http, int from, int to) throws Exception {
    try (ExecutorService clients = Executors.newFixedThreadPool(AT_ONCE)) {
      List<Future<?>> made = new ArrayList<>();
      for (int i = indices(from); i < indices(to); i++) {
        String path =
            "/app"
                + i
                + "-2026.11.21?wait_for_active_shards=0&timeout=120s&cluster_manager_timeout=120s";
        made.add(clients.submit(() -> http.put(path, settings()).ok()));
      }
      for (Future<?> each : made) {
        each.get();
      }
    }
    awaitGreen(http);
  }

  private static int indices(int shards) {
    return (shards + OF_AN_INDEX - 1) / OF_AN_INDEX;
  }

  private static String settings() {
    return "{\"settings\":{\"number_of_shards\":" + OF_AN_INDEX + ",\"number_of_replicas\":0}}";
  }

  /** 10,000 shards come up in some minutes, and a client of the tests gives up after one. */
  private static void awaitGreen(JsonHttp http) {
    for (int look = 0; look < LOOKS; look++) {
      if (http.get("/_cluster/health?wait_for_status=green&timeout=50s").status() == 200) {
        return;
      }
    }
    throw new AssertionError("the shards do not come up");
  }
}
