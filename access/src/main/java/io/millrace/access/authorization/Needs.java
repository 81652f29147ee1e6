package io.millrace.access.authorization;

import static io.millrace.access.store.IndexPrivilege.Bits.APPEND;
import static io.millrace.access.store.IndexPrivilege.Bits.APPEND_INDEX;
import static io.millrace.access.store.IndexPrivilege.Bits.MANAGE;
import static io.millrace.access.store.IndexPrivilege.Bits.MONITOR;
import static io.millrace.access.store.IndexPrivilege.Bits.READ;
import static io.millrace.access.store.IndexPrivilege.Bits.WRITE;

import io.millrace.access.store.ClusterPrivilege;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What each transport action needs, by rules that are read from top to bottom: the first that fits
 * counts.
 *
 * <p>A rule ends in a star or names one action. What no rule knows is the superuser's. A rule with
 * a star is only as wide as every action below it can bear: an action of another plugin under
 * {@code indices:data/read/} whose indices are not known needs the privilege on all of them.
 */
public final class Needs {
  private record Rule(String name, boolean prefix, Need need) {
    boolean fits(String action) {
      return prefix ? action.startsWith(name) : action.equals(name);
    }
  }

  private static final List<Rule> RULES = rules();

  private final ConcurrentHashMap<String, Need> known = new ConcurrentHashMap<>();

  /** What an action needs. */
  public Need of(String action) {
    Need need = known.get(action);
    if (need == null) {
      need =
          RULES.stream()
              .filter(rule -> rule.fits(action))
              .map(Rule::need)
              .findFirst()
              .orElse(Need.UNKNOWN);
      known.put(action, need);
    }
    return need;
  }

  private static List<Rule> rules() {
    List<Rule> rules = new ArrayList<>();
    // users, roles and keys; one's own password and keys are checked by the action
    add(
        rules,
        Need.of(Need.Kind.ANYBODY),
        "cluster:monitor/millrace/access/whoami",
        "cluster:admin/millrace/access/own",
        "cluster:monitor/main");
    add(rules, Need.of(Need.Kind.SUPERUSER), "cluster:admin/millrace/access/*");
    // what is only the sum of its parts
    add(
        rules,
        Need.of(Need.Kind.PARTS),
        "indices:data/write/bulk",
        "indices:data/write/index",
        "indices:data/write/delete",
        "indices:data/write/reindex",
        "indices:data/write/update/byquery",
        "indices:data/write/delete/byquery",
        "indices:data/read/mget",
        "indices:data/read/msearch",
        "indices:data/read/mtv",
        "indices:data/read/search/template",
        "indices:data/read/msearch/template",
        "indices:data/read/rank_eval");
    add(rules, Need.of(Need.Kind.SHARD_BULK), "indices:data/write/bulk[s]");
    // contexts that belong to whoever opened them
    add(rules, Need.of(Need.Kind.SCROLL), "indices:data/read/scroll");
    add(rules, Need.of(Need.Kind.CLEAR_SCROLL), "indices:data/read/scroll/clear");
    add(rules, Need.of(Need.Kind.DELETE_POINTS), "indices:data/read/point_in_time/delete");
    add(
        rules,
        Need.cluster(ClusterPrivilege.MANAGE),
        "indices:data/read/point_in_time/readall",
        "cluster:admin/point_in_time/read_from_nodes");
    // tasks
    add(rules, Need.of(Need.Kind.LIST_TASKS), "cluster:monitor/tasks/lists");
    add(rules, Need.of(Need.Kind.GET_TASK), "cluster:monitor/task/get");
    add(rules, Need.of(Need.Kind.CANCEL_TASK), "cluster:admin/tasks/cancel");
    // documents
    add(
        rules,
        Need.indices(READ),
        "indices:data/read/*",
        "indices:admin/validate/query",
        "indices:admin/shards/search_shards",
        "indices:admin/analyze");
    add(rules, Need.indices(WRITE), "indices:data/write/*");
    add(rules, Need.indices(APPEND), "indices:admin/mapping/auto_put");
    add(rules, Need.indices(APPEND_INDEX), "indices:admin/auto_create");
    // what describes an index
    add(
        rules,
        Need.indices(MONITOR),
        "indices:monitor/*",
        "indices:admin/get",
        "indices:admin/exists",
        "indices:admin/mappings/get*",
        "indices:admin/mappings/fields/get*",
        "indices:admin/aliases/get",
        "indices:admin/resolve/index",
        "indices:admin/data_stream/get");
    // templates name indices that do not exist yet, whoever creates them
    add(
        rules,
        Need.cluster(ClusterPrivilege.MONITOR),
        "indices:admin/template/get",
        "indices:admin/index_template/get",
        "cluster:admin/component_template/get",
        "cluster:admin/ingest/pipeline/get",
        "cluster:admin/search/pipeline/get",
        "cluster:admin/ingest/processor/grok/get",
        "cluster:admin/script/get",
        "cluster:admin/script_context/get",
        "cluster:admin/script_language/get",
        "cluster:admin/routing/awareness/weights/get",
        "cluster:admin/decommission/awareness/get");
    add(
        rules,
        Need.cluster(ClusterPrivilege.MANAGE),
        "indices:admin/template/*",
        "indices:admin/index_template/*");
    // between nodes, sent by nobody
    add(
        rules,
        Need.of(Need.Kind.SUPERUSER),
        "indices:admin/seq_no/*",
        "indices:admin/publish*",
        "indices:admin/remote_publish*",
        "internal:*",
        "cluster:internal/*",
        "indices:internal/*",
        "cluster:admin/persistent/*",
        "cluster:admin/indices/dangling/*",
        "views:*",
        "cluster:admin/views/*",
        "indices:admin/ingestion/updateState");
    add(rules, Need.indices(MANAGE), "indices:admin/*");
    // whoever restores can read every index
    add(
        rules,
        Need.cluster(ClusterPrivilege.SNAPSHOT),
        "cluster:admin/repository/*",
        "cluster:admin/snapshot/*",
        "cluster:admin/remotestore/restore");
    add(rules, Need.cluster(ClusterPrivilege.MONITOR), "cluster:monitor/*");
    add(rules, Need.cluster(ClusterPrivilege.MANAGE), "cluster:admin/*");
    return List.copyOf(rules);
  }

  private static void add(List<Rule> rules, Need need, String... names) {
    for (String name : names) {
      boolean prefix = name.endsWith("*");
      rules.add(new Rule(prefix ? name.substring(0, name.length() - 1) : name, prefix, need));
    }
  }
}
