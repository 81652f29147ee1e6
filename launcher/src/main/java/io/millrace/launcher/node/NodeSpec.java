package io.millrace.launcher.node;

import io.millrace.launcher.secure.NodeAccess;
import io.millrace.launcher.secure.NodeSecurity;
import io.millrace.launcher.workspace.ServerUser;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a node is to be: which tree it runs from, where its files are, how it is configured. A
 * value; {@link NodeProcess#start} makes a process of it.
 *
 * <p>Every node has a folder of its own: {@code config/} (written anew at each start from the
 * tree's {@code config/}, except the keystore), {@code data/}, {@code logs/}, {@code tmp/}. The
 * tree itself is never written to.
 *
 * @param tree the distribution: stock or Millrace
 * @param dir the node's folder; made when missing
 * @param data where documents live
 * @param name {@code node.name}
 * @param cluster {@code cluster.name}
 * @param httpPort on {@code host}
 * @param transportPort on {@code host}
 * @param seeds {@code host:port} of the cluster's transport ports; with none, a cluster of one
 * @param initialManagers node names; only for the first start of a cluster, else empty
 * @param heap as {@code -Xmx} takes it ({@code 512m}, {@code 1g})
 * @param profile a folder under {@code config/jvm-profiles} of the tree, or {@code null}
 * @param settings further lines of {@code opensearch.yml}; the strongest
 * @param jvmOptions further JVM flags; the strongest
 * @param env further environment of the process
 * @param javaHome JDK that runs the node
 * @param security what makes the node a secured one; {@code null} for a node that lets everybody in
 * @param exposed whether it may be reached from other machines without security, on purpose
 * @param user who runs the node when this process is root; for test harnesses, in folders of their
 *     own that nobody else writes to: {@code up} gives its rights up altogether before
 */
public record NodeSpec(
    Path tree,
    Path dir,
    Path data,
    String name,
    String cluster,
    String host,
    int httpPort,
    int transportPort,
    List<String> seeds,
    List<String> initialManagers,
    String heap,
    @Nullable String profile,
    Map<String, String> settings,
    List<String> jvmOptions,
    Map<String, String> env,
    Path javaHome,
    @Nullable NodeSecurity security,
    boolean exposed,
    @Nullable ServerUser user) {

  public Path config() {
    return dir.resolve("config");
  }

  /** How a request from this machine reaches the node. */
  public NodeAccess access() {
    return new NodeAccess(httpPort, security == null ? null : security.secrets());
  }

  public Path logs() {
    return dir.resolve("logs");
  }

  /** The server's log. */
  public Path serverLog() {
    return logs().resolve(cluster + ".log");
  }

  /** What the JVM prints before the server's logging stands. */
  public Path consoleLog() {
    return logs().resolve("console.log");
  }

  /** The same node from another tree. */
  public NodeSpec from(Path other) {
    return new NodeSpec(
        other.toAbsolutePath(),
        dir,
        data,
        name,
        cluster,
        host,
        httpPort,
        transportPort,
        seeds,
        initialManagers,
        heap,
        profile,
        settings,
        jvmOptions,
        env,
        javaHome,
        security,
        exposed,
        user);
  }

  /**
   * @param tree the distribution to run
   * @param dir the node's folder
   */
  public static Builder builder(Path tree, Path dir) {
    return new Builder(tree, dir);
  }

  /** Defaults: a cluster of one on 127.0.0.1:9200, 1 GB heap, the JDK of this process. */
  public static final class Builder {
    private final Path tree;
    private final Path dir;
    private Path data;
    private String name = "node-1";
    private String cluster = "millrace";
    private String host = "127.0.0.1";
    private int httpPort = 9200;
    private int transportPort = 9300;
    private List<String> seeds = List.of();
    private List<String> initialManagers = List.of();
    private String heap = "1g";
    private @Nullable String profile;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final List<String> jvmOptions = new ArrayList<>();
    private final Map<String, String> env = new LinkedHashMap<>();
    private @Nullable NodeSecurity security;
    private boolean exposed;
    private @Nullable ServerUser user;
    private Path javaHome = Path.of(System.getProperty("java.home"));

    private Builder(Path tree, Path dir) {
      this.tree = tree.toAbsolutePath();
      this.dir = dir.toAbsolutePath();
      this.data = this.dir.resolve("data");
    }

    public Builder data(Path data) {
      this.data = data.toAbsolutePath();
      return this;
    }

    public Builder name(String name) {
      this.name = name;
      return this;
    }

    public Builder cluster(String cluster) {
      this.cluster = cluster;
      return this;
    }

    public Builder host(String host) {
      this.host = host;
      return this;
    }

    public Builder ports(int http, int transport) {
      this.httpPort = http;
      this.transportPort = transport;
      return this;
    }

    /** A node of a cluster of several; without it, the node forms one of its own. */
    public Builder discovery(List<String> seeds, List<String> initialManagers) {
      this.seeds = List.copyOf(seeds);
      this.initialManagers = List.copyOf(initialManagers);
      return this;
    }

    public Builder heap(String heap) {
      this.heap = heap;
      return this;
    }

    public Builder profile(@Nullable String profile) {
      this.profile = profile;
      return this;
    }

    public Builder setting(String key, String value) {
      settings.put(key, value);
      return this;
    }

    public Builder settings(Map<String, String> more) {
      settings.putAll(more);
      return this;
    }

    public Builder jvmOption(String flag) {
      jvmOptions.add(flag);
      return this;
    }

    public Builder env(String key, String value) {
      env.put(key, value);
      return this;
    }

    public Builder javaHome(Path javaHome) {
      this.javaHome = javaHome;
      return this;
    }

    /** Makes it a secured node; {@code null} for one that lets everybody in. */
    public Builder security(@Nullable NodeSecurity security) {
      this.security = security;
      return this;
    }

    /** Lets it be reached from other machines without security. */
    public Builder exposed(boolean exposed) {
      this.exposed = exposed;
      return this;
    }

    /** Runs the node as this user; only for a caller that is root. */
    public Builder user(@Nullable ServerUser user) {
      this.user = user;
      return this;
    }

    public NodeSpec build() {
      return new NodeSpec(
          tree,
          dir,
          data,
          name,
          cluster,
          host,
          httpPort,
          transportPort,
          seeds,
          initialManagers,
          heap,
          profile,
          Map.copyOf(settings),
          List.copyOf(jvmOptions),
          Map.copyOf(env),
          javaHome,
          security,
          exposed,
          user);
    }
  }
}
