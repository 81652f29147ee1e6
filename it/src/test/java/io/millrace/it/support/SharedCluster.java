package io.millrace.it.support;

import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.http.JsonHttp;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * A cluster that every test class with the same plan shares, wiped before each test.
 *
 * <p>A cluster of three nodes takes some 40 CPU-seconds to form: shared, that is paid once per run.
 * The last class does not know that it is the last, so JUnit's root store closes the cluster. A
 * test that kills a node starts it again; {@link #beforeEach} does it for a test that failed in
 * between.
 */
public final class SharedCluster implements BeforeAllCallback, BeforeEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(SharedCluster.class);

  private final Tree tree;
  private final int size;
  private @Nullable Cluster cluster;

  private SharedCluster(Tree tree, int size) {
    this.tree = tree;
    this.size = size;
  }

  /** The shared cluster of so many nodes of this tree. */
  public static SharedCluster of(Tree tree, int size) {
    return new SharedCluster(tree, size);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    cluster =
        context
            .getRoot()
            .getStore(NAMESPACE)
            .computeIfAbsent(
                tree + "-" + size,
                key -> Cluster.of(tree, size).set("node.attr.testattr", "test").start(),
                Cluster.class);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    for (ClusterNode node : get().nodes()) {
      if (!node.alive()) {
        node.start();
        node.awaitAnswer();
      }
    }
    get().awaitNodes(size);
    wipe(http());
  }

  /** The running cluster. */
  public Cluster get() {
    Cluster current = cluster;
    if (current == null) {
      throw new IllegalStateException("@RegisterExtension on a static field starts the cluster");
    }
    return current;
  }

  /** A client of its first node. */
  public JsonHttp http() {
    return get().node(0).http();
  }

  /** Removes everything that a test may have left: data, templates, pipelines, settings. */
  public static void wipe(JsonHttp http) {
    http.delete("/_data_stream/*");
    http.delete("/*?expand_wildcards=all").ok();
    http.get("/_template")
        .json()
        .fieldNames()
        .forEachRemaining(name -> http.delete("/_template/" + name));
    http.delete("/_index_template/*");
    http.get("/_ingest/pipeline")
        .json()
        .fieldNames()
        .forEachRemaining(name -> http.delete("/_ingest/pipeline/" + name).ok());
    http.put(
            "/_cluster/settings",
            "{\"persistent\":{\"millrace.*\":null,\"cluster.*\":null},\"transient\":{\"*\":null}}")
        .ok();
  }
}
