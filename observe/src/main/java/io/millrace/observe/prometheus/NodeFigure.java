package io.millrace.observe.prometheus;

import io.millrace.observe.prometheus.Exposition.Type;
import java.util.List;
import java.util.Map;

/**
 * One line of a node's own statistics ({@code GET _nodes/stats}) and the metric it becomes.
 *
 * @param path where it stands in the answer, with dots; {@code *} stands for every name there
 * @param name the metric, without unit and {@code _total}
 * @param unit {@code seconds}, {@code bytes} or empty
 * @param scale what a value is multiplied by, for example 1e-3 where the answer has milliseconds
 * @param label what the {@code *} is called; empty without one
 */
record NodeFigure(
    String path, String name, Type type, String unit, double scale, String label, String help) {

  private static NodeFigure counter(String path, String name, String help) {
    return new NodeFigure(path, name, Type.COUNTER, "", 1, "", help);
  }

  private static NodeFigure gauge(String path, String name, String help) {
    return new NodeFigure(path, name, Type.GAUGE, "", 1, "", help);
  }

  private NodeFigure bytes() {
    return new NodeFigure(path, name, type, "bytes", 1, label, help);
  }

  private NodeFigure millis() {
    return new NodeFigure(path, name, type, "seconds", 1e-3, label, help);
  }

  private NodeFigure percent() {
    return new NodeFigure(path, name, type, "ratio", 1e-2, label, help);
  }

  private NodeFigure by(String what) {
    return new NodeFigure(path, name, type, unit, scale, what, help);
  }

  /** Everything that is shown of the node itself, in the order in which it is shown. */
  static List<NodeFigure> all() {
    return List.of(
        gauge("indices.docs.count", "docs", "Documents in the shards of this node"),
        gauge("indices.docs.deleted", "docs_deleted", "Deleted documents that merges will drop"),
        gauge("indices.store.size_in_bytes", "store", "Size of the shards of this node").bytes(),
        counter("indices.indexing.index_total", "indexing", "Documents indexed"),
        counter("indices.indexing.index_time_in_millis", "indexing_time", "Time spent indexing")
            .millis(),
        gauge("indices.indexing.index_current", "indexing_current", "Documents being indexed"),
        counter("indices.indexing.index_failed", "indexing_failed", "Documents that failed"),
        counter("indices.indexing.delete_total", "deletes", "Documents deleted"),
        counter(
                "indices.indexing.throttle_time_in_millis",
                "indexing_throttled",
                "Time for which merges held indexing back")
            .millis(),
        counter("indices.search.query_total", "queries", "Query phases on shards"),
        counter("indices.search.query_time_in_millis", "query_time", "Time of query phases")
            .millis(),
        gauge("indices.search.query_current", "queries_current", "Query phases running"),
        counter("indices.search.fetch_total", "fetches", "Fetch phases on shards"),
        counter("indices.search.fetch_time_in_millis", "fetch_time", "Time of fetch phases")
            .millis(),
        gauge("indices.search.open_contexts", "search_contexts", "Open search contexts"),
        counter("indices.search.scroll_total", "scrolls", "Scrolls finished"),
        gauge("indices.merges.current", "merges_current", "Merges running"),
        gauge("indices.merges.current_size_in_bytes", "merges_current", "Size of running merges")
            .bytes(),
        counter("indices.merges.total", "merges", "Merges finished"),
        counter("indices.merges.total_time_in_millis", "merge_time", "Time of merges").millis(),
        counter("indices.merges.total_size_in_bytes", "merged", "Bytes merged").bytes(),
        counter(
                "indices.merges.total_throttled_time_in_millis",
                "merge_throttled",
                "Time for which merges were held back")
            .millis(),
        counter("indices.refresh.total", "refreshes", "Refreshes"),
        counter("indices.refresh.total_time_in_millis", "refresh_time", "Time of refreshes")
            .millis(),
        counter("indices.flush.total", "flushes", "Flushes"),
        counter("indices.flush.total_time_in_millis", "flush_time", "Time of flushes").millis(),
        gauge("indices.segments.count", "segments", "Segments"),
        gauge(
                "indices.segments.index_writer_memory_in_bytes",
                "index_writer",
                "Memory of documents not yet in a segment")
            .bytes(),
        gauge("indices.translog.operations", "translog_operations", "Operations in translogs"),
        gauge("indices.translog.size_in_bytes", "translog", "Size of translogs").bytes(),
        gauge(
                "indices.translog.uncommitted_size_in_bytes",
                "translog_uncommitted",
                "Translog that a restart would replay")
            .bytes(),
        gauge("indices.query_cache.memory_size_in_bytes", "query_cache", "Query cache").bytes(),
        counter("indices.query_cache.hit_count", "query_cache_hits", "Query cache hits"),
        counter("indices.query_cache.miss_count", "query_cache_misses", "Query cache misses"),
        counter("indices.query_cache.evictions", "query_cache_evictions", "Query cache evictions"),
        gauge("indices.request_cache.memory_size_in_bytes", "request_cache", "Request cache")
            .bytes(),
        counter("indices.request_cache.hit_count", "request_cache_hits", "Request cache hits"),
        counter("indices.request_cache.miss_count", "request_cache_misses", "Request cache misses"),
        gauge("indices.fielddata.memory_size_in_bytes", "fielddata", "Fielddata").bytes(),
        counter("indices.fielddata.evictions", "fielddata_evictions", "Fielddata evictions"),
        gauge("thread_pool.*.threads", "thread_pool_threads", "Threads of a pool").by("pool"),
        gauge("thread_pool.*.active", "thread_pool_active", "Threads of a pool that are busy")
            .by("pool"),
        gauge("thread_pool.*.queue", "thread_pool_queue", "Tasks that wait in a pool").by("pool"),
        counter("thread_pool.*.completed", "thread_pool_completed", "Tasks a pool finished")
            .by("pool"),
        counter("thread_pool.*.rejected", "thread_pool_rejected", "Tasks a pool refused")
            .by("pool"),
        gauge("breakers.*.estimated_size_in_bytes", "breaker", "What a breaker counts")
            .bytes()
            .by("breaker"),
        gauge("breakers.*.limit_size_in_bytes", "breaker_limit", "Where a breaker trips")
            .bytes()
            .by("breaker"),
        counter("breakers.*.tripped", "breaker_tripped", "Requests a breaker refused")
            .by("breaker"),
        gauge(
                "indexing_pressure.memory.current.*_in_bytes",
                "indexing_pressure",
                "Bytes of writes in flight by stage")
            .bytes()
            .by("stage"),
        counter(
                "indexing_pressure.memory.total.*_in_bytes",
                "indexing_pressure_admitted",
                "Bytes of writes admitted by stage")
            .bytes()
            .by("stage"),
        counter(
                "indexing_pressure.memory.total.*_rejections",
                "indexing_pressure_rejections",
                "Writes refused by stage")
            .by("stage"),
        gauge(
                "indexing_pressure.memory.limit_in_bytes",
                "indexing_pressure_limit",
                "Bytes of writes in flight at which writes are refused")
            .bytes(),
        counter(
            "search_backpressure.search_task.cancellation_stats.cancellation_count",
            "search_backpressure_cancelled_searches",
            "Searches cancelled on the coordinating side"),
        counter(
            "search_backpressure.search_shard_task.cancellation_stats.cancellation_count",
            "search_backpressure_cancelled_shard_searches",
            "Searches cancelled on shards"),
        counter(
            "search_backpressure.search_task.cancellation_stats.cancellation_limit_reached_count",
            "search_backpressure_limited_searches",
            "Cancellations of searches that the limit prevented"),
        counter(
            "search_backpressure.search_shard_task.cancellation_stats.cancellation_limit_reached_count",
            "search_backpressure_limited_shard_searches",
            "Cancellations on shards that the limit prevented"),
        gauge("jvm.mem.heap_used_in_bytes", "heap_used", "Heap in use").bytes(),
        gauge("jvm.mem.heap_max_in_bytes", "heap_max", "Heap's limit").bytes(),
        gauge("jvm.mem.non_heap_used_in_bytes", "non_heap_used", "Memory beside the heap").bytes(),
        gauge("jvm.mem.pools.*.used_in_bytes", "memory_pool_used", "A memory pool")
            .bytes()
            .by("pool"),
        gauge("jvm.buffer_pools.*.used_in_bytes", "buffer_pool_used", "A pool of buffers")
            .bytes()
            .by("pool"),
        gauge("jvm.threads.count", "threads", "Threads"),
        gauge("jvm.uptime_in_millis", "uptime", "Since the start").millis(),
        gauge("process.open_file_descriptors", "open_files", "Open file descriptors"),
        gauge("process.max_file_descriptors", "open_files_max", "Most open file descriptors"),
        gauge("process.cpu.percent", "process_cpu", "CPU of this process, 1 is all cores")
            .percent(),
        counter("process.cpu.total_in_millis", "process_cpu_time", "CPU time of this process")
            .millis(),
        gauge("os.cpu.percent", "os_cpu", "CPU of the machine, 1 is all cores").percent(),
        gauge("os.cpu.load_average.1m", "os_load1", "Load over one minute"),
        gauge("os.mem.total_in_bytes", "os_memory", "Memory of the machine").bytes(),
        gauge("os.mem.free_in_bytes", "os_memory_free", "Memory that nothing uses").bytes(),
        gauge("os.swap.used_in_bytes", "os_swap_used", "Swap in use").bytes(),
        gauge("fs.total.total_in_bytes", "fs", "Size of the data file systems").bytes(),
        gauge("fs.total.available_in_bytes", "fs_available", "Free for this node's data").bytes(),
        counter("fs.io_stats.total.read_kilobytes", "fs_read", "Bytes read").kilobytes(),
        counter("fs.io_stats.total.write_kilobytes", "fs_written", "Bytes written").kilobytes(),
        gauge("http.current_open", "http_connections", "Open HTTP connections"),
        counter("http.total_opened", "http_connections_opened", "HTTP connections opened"),
        gauge("transport.server_open", "transport_connections", "Connections between nodes"),
        counter("transport.rx_size_in_bytes", "transport_received", "Bytes from nodes").bytes(),
        counter("transport.tx_size_in_bytes", "transport_sent", "Bytes to nodes").bytes());
  }

  private NodeFigure kilobytes() {
    return new NodeFigure(path, name, type, "bytes", 1024, label, help);
  }

  /** Writes the values that the statistics have at the path, and nothing where they have none. */
  void write(Map<?, ?> stats, Exposition page) {
    write(stats, path.split("\\."), 0, Map.of(), page);
  }

  private void write(
      Object here, String[] steps, int step, Map<String, String> labels, Exposition page) {
    if (step == steps.length) {
      if (here instanceof Number number && number.doubleValue() >= 0) {
        page.add("millrace_node_" + name, type, unit, help, labels, number.doubleValue() * scale);
      }
      return;
    }
    if (!(here instanceof Map<?, ?> map)) {
      return;
    }
    int star = steps[step].indexOf('*');
    if (star < 0) {
      Object next = map.get(steps[step]);
      if (next != null) {
        write(next, steps, step + 1, labels, page);
      }
      return;
    }
    String before = steps[step].substring(0, star);
    String after = steps[step].substring(star + 1);
    map.forEach((key, value) -> {
      String name = String.valueOf(key);
      if (value != null && name.startsWith(before) && name.endsWith(after)) {
        String what = name.substring(before.length(), name.length() - after.length());
        write(value, steps, step + 1, Map.of(label, what), page);
      }
    });
  }
}
