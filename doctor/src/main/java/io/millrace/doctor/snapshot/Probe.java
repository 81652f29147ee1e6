package io.millrace.doctor.snapshot;

import java.util.Locale;

/**
 * One bounded request. All of them read; none makes a node do more than answer from what it has in
 * memory. {@code filter_path} keeps an answer to the fields that a check reads.
 */
public enum Probe {
  ROOT("/"),
  HEALTH("/_cluster/health"),
  NODES(
      "/_nodes/settings,os,process,jvm,thread_pool,plugins,http?flat_settings=true&filter_path="
          + "nodes.*.name,nodes.*.host,nodes.*.ip,nodes.*.version,nodes.*.roles,nodes.*.settings,"
          + "nodes.*.os,nodes.*.process,nodes.*.jvm,nodes.*.thread_pool,nodes.*.plugins.name,"
          + "nodes.*.plugins.version,nodes.*.http"),
  /**
   * Asked twice, so that rates can be told. Parts are named, since a node computes everything else
   * as well, and drops it: segments and suggesters of each shard. Which client asked for what is
   * not read, for it names indices and holds searches.
   */
  STATS(
      "/_nodes/stats?metric=os,process,jvm,thread_pool,fs,breaker,http,script,ingest,"
          + "indexing_pressure,indices&index_metric=docs,store,indexing,get,search,merge,refresh,"
          + "flush,query_cache,fielddata,request_cache&filter_path="
          + "nodes.*.name,nodes.*.host,nodes.*.timestamp,nodes.*.roles,nodes.*.os,nodes.*.process,"
          + "nodes.*.jvm,nodes.*.thread_pool,nodes.*.fs,nodes.*.breakers,"
          + "nodes.*.http.current_open,nodes.*.http.total_opened,"
          + "nodes.*.script,nodes.*.ingest.total,nodes.*.indexing_pressure,nodes.*.indices.docs,"
          + "nodes.*.indices.store,nodes.*.indices.indexing,nodes.*.indices.search,"
          + "nodes.*.indices.merges,nodes.*.indices.refresh,nodes.*.indices.flush,"
          + "nodes.*.indices.query_cache,nodes.*.indices.fielddata,"
          + "nodes.*.indices.request_cache,nodes.*.indices.get"),
  CLUSTER_SETTINGS("/_cluster/settings?flat_settings=true"),
  INDEX_SETTINGS("/_all/_settings?flat_settings=true&expand_wildcards=open"),
  /** Asked twice, as {@link #STATS}. */
  INDEX_STATS(
      "/_all/_stats/docs,store,indexing,search,merge,refresh,flush,segments,translog?filter_path="
          + "indices.*.primaries.docs,indices.*.primaries.store.size_in_bytes,"
          + "indices.*.primaries.indexing,indices.*.primaries.merges,indices.*.primaries.refresh,"
          + "indices.*.primaries.flush,indices.*.primaries.segments.count,"
          + "indices.*.primaries.translog,indices.*.total.search,"
          + "indices.*.total.store.size_in_bytes"),
  /**
   * From the routing table: {@code _cat/shards} computes every figure of every shard, whichever
   * columns are asked for.
   */
  SHARDS(
      "/_cluster/state/routing_table,nodes?filter_path=nodes.*.name,"
          + "routing_table.indices.*.shards.*.primary,routing_table.indices.*.shards.*.state,"
          + "routing_table.indices.*.shards.*.node,"
          + "routing_table.indices.*.shards.*.unassigned_info.reason"),
  /**
   * Of indices whose size says that one of their shards may be large, and which have several
   * primaries; of the others {@link #INDEX_STATS} tells enough.
   */
  SHARD_SIZES(
      "/{indices}/_stats/docs,store?level=shards&filter_path=indices.*.shards.*.routing.node,"
          + "indices.*.shards.*.docs.count,indices.*.shards.*.store.size_in_bytes"),
  TEMPLATES("/_template?flat_settings=true&filter_path=*.index_patterns,*.order,*.settings"),
  INDEX_TEMPLATES(
      "/_index_template?flat_settings=true&filter_path=index_templates.name,"
          + "index_templates.index_template.index_patterns,"
          + "index_templates.index_template.priority,"
          + "index_templates.index_template.composed_of,"
          + "index_templates.index_template.template.settings"),
  PENDING("/_cluster/pending_tasks"),
  TASKS(
      "/_tasks?detailed=true&actions=*search*,*bulk*,*reindex*,*byquery*,*forcemerge*"
          + "&filter_path=nodes.*.name,nodes.*.tasks.*.action,nodes.*.tasks.*.description,"
          + "nodes.*.tasks.*.running_time_in_nanos,nodes.*.tasks.*.cancellable,"
          + "nodes.*.tasks.*.parent_task_id"),
  /** Of indices with shards on their way only: a node looks at every shard that is asked for. */
  RECOVERY(
      "/_cat/recovery/{indices}?format=json&active_only=true&h=index,shard,time,type,stage,source_node,target_node,bytes_percent"),
  REPOSITORIES("/_snapshot?filter_path=*.type"),
  /** Of the largest and the busiest indices, one per family; its path is made when it is known. */
  MAPPINGS("/{indices}/_mapping"),
  /** Elasticsearch 7.15 and newer only. */
  FIELD_USAGE("/{indices}/_field_usage_stats?filter_path=*.shards.stats"),
  /** For people who read a bundle; of one dump of all stacks, not of the ten that are usual. */
  HOT_THREADS("/_nodes/hot_threads?threads=3&interval=200ms&snapshots=1&ignore_idle_threads=true");

  private final String path;

  Probe(String path) {
    this.path = path;
  }

  /** What is asked for; {@code {indices}} stands for names that are chosen at run time. */
  public String path() {
    return path;
  }

  /** The first of two requests: parts that hold counters, which is all that a rate needs. */
  String counters() {
    return switch (this) {
      case STATS -> path.replaceFirst("index_metric=[^&]*", "index_metric=indexing,search,refresh");
      case INDEX_STATS -> path.replaceFirst("_stats/[^?]*", "_stats/indexing,flush");
      default -> path;
    };
  }

  /** The request for rows, where the cluster's state may not be read. */
  static String rows() {
    return "/_cat/shards?format=json&bytes=b&h=index,shard,prirep,state,docs,store,node,ur";
  }

  /** The request for all parts, for a version that does not know one of those named. */
  static String whole(String path) {
    return path.replaceFirst("metric=[^&]*&index_metric=[^&]*&", "");
  }

  /** The request without its query string, for evidence. */
  public String shown() {
    int query = path.indexOf('?');
    return "GET " + (query < 0 ? path : path.substring(0, query));
  }

  /** The name in a bundle. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
