package io.millrace.launcher.cluster;

import io.millrace.launcher.node.NodeSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What will be started: decided by {@link ClusterPlanner}, carried out by {@link LocalCluster}.
 *
 * @param specs the nodes to start, at least one
 * @param living nodes of the same cluster that run already
 * @param settings what the user added to {@code opensearch.yml}; {@code null} when only the files
 *     of an earlier start know
 * @param notes decisions the user should know of
 */
public record ClusterPlan(
    List<NodeSpec> specs,
    List<ClusterState.Node> living,
    @Nullable Map<String, String> settings,
    List<String> notes) {}
