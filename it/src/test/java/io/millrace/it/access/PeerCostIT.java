package io.millrace.it.access;

import io.millrace.client.ClusterClient;
import io.millrace.client.Request;
import io.millrace.it.support.Maven;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What OpenSearch's own security plugin costs a node: OpenSearch 3.4.0, the last version for which
 * Maven Central has that plugin, with and without it, in turn. The counterpart of {@link
 * AccessCostIT}: the same documents and searches, as many indices and roles, plain text to the
 * client. It asserts no figure and prints them.
 *
 * <p>Run with {@code -Dmillrace.access.peer=ROUNDS}; it downloads some 100 MB. The plugin extends
 * the module {@code rule-framework}, which Central does not have; its descriptor is used without
 * that line, and with the library that it takes from there. Its own sample configuration is used,
 * whose administrator is {@code admin}. The machine must be at rest.
 */
@EnabledIfSystemProperty(named = "millrace.access.peer", matches = "\\d+")
class PeerCostIT {
  private static final String VERSION = "3.4.0";
  private static final String PLUGIN = "opensearch-security";
  private static final Path POM =
      Path.of("src/test/resources/access/peer/pom.xml").toAbsolutePath();
  private static final String CLASSES = "org.opensearch.security.";
  private static final String ADMIN = "admin:admin";
  private static final String USER = "bench:Copper-4-kettles-in-Rows";
  private static final Map<String, String> SECURED =
      Map.of(
          "plugins.security.ssl.transport.pemcert_filepath", "certificates/transport.crt",
          "plugins.security.ssl.transport.pemkey_filepath", "certificates/transport.key",
          "plugins.security.ssl.transport.pemtrustedcas_filepath", "certificates/transport-ca.crt",
          "plugins.security.ssl.transport.enforce_hostname_verification", "false",
          "plugins.security.ssl.http.enabled", "false",
          "plugins.security.allow_default_init_securityindex", "true",
          "plugins.security.restapi.roles_enabled", "all_access",
          "plugins.security.authcz.admin_dn", "CN=nobody");
  private static final int ROUNDS = Integer.getInteger("millrace.access.peer", 30);
  private static final int INDICES = Integer.getInteger("millrace.access.cost.indices", 1_000);
  private static final int ROLES = Integer.getInteger("millrace.access.cost.roles", 20);

  private final Path folder = Files.createTempDirectory("millrace-peer-");

  PeerCostIT() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @AfterEach
  void remove() {
    Folders.remove(folder);
  }

  @Test
  void aDocumentAndASearchWithAndWithoutThePlugin() throws Exception {
    Path without = tree(folder.resolve("without"));
    Path with = folder.resolve("with");
    Folders.copy(without, with);
    addPlugin(with);
    try (MeasuredNode off = new MeasuredNode().start(without, Map.of(), false, "");
        MeasuredNode on = new MeasuredNode().certificates()) {
      Path sample = with.resolve("plugins").resolve(PLUGIN).resolve("config");
      Folders.copy(sample, on.config().resolve(PLUGIN));
      on.start(with, SECURED, false, ADMIN);
      try (ClusterClient manager = on.client(ADMIN)) {
        user(manager);
      }
      NodeCosts.measure(
          ROUNDS,
          INDICES,
          List.of(off.cost("off", "", ""), on.cost("security plugin", USER, ADMIN)));
      on.printSamples("security plugin", CLASSES, on.cost("on", USER, ADMIN), ROUNDS);
    }
  }

  /** The server of that version with the scripts and the configuration of our tree of stock. */
  private static Path tree(Path home) throws IOException {
    Path stock = Tree.STOCK.home();
    Files.createDirectories(home.resolve("plugins"));
    Folders.copy(stock.resolve("bin"), home.resolve("bin"));
    Folders.copy(stock.resolve("config"), home.resolve("config"));
    copyJars("lib", home.resolve("lib"));
    copyJars("agent", home.resolve("agent"));
    Path http = home.resolve("modules/transport-netty4");
    copyJars("transport-netty4", http);
    for (Path file : files(stock.resolve("modules/transport-netty4"))) {
      if (file.getFileName().toString().startsWith("plugin-")) {
        Files.copy(file, http.resolve(file.getFileName()));
      }
    }
    String built = stock.getFileName().toString().replace("stock-", "");
    for (Path file :
        List.of(
            home.resolve("bin/opensearch"),
            home.resolve("config/jvm.options"),
            http.resolve("plugin-descriptor.properties"))) {
      Files.writeString(file, Files.readString(file).replace(built, VERSION));
    }
    return home;
  }

  private static void copyJars(String profile, Path to) throws IOException {
    Maven.fetch(
        "OpenSearch " + VERSION,
        "-f",
        POM.toString(),
        "-P" + profile,
        Maven.DEPENDENCY + "copy-dependencies",
        "-DincludeScope=runtime",
        "-DoutputDirectory=" + to);
  }

  private static void addPlugin(Path home) throws IOException {
    Path plugin = home.resolve("plugins").resolve(PLUGIN);
    Maven.fetch(
        PLUGIN,
        "-f",
        POM.toString(),
        Maven.DEPENDENCY + "unpack",
        "-Dartifact=org.opensearch.plugin:" + PLUGIN + ":" + VERSION + ".0:zip",
        "-Dmdep.overWriteReleases=true", // it remembers what it unpacked, wherever to
        "-DoutputDirectory=" + plugin);
    copyJars("rule-framework", plugin);
    Path descriptor = plugin.resolve("plugin-descriptor.properties");
    List<String> lines =
        Files.readAllLines(descriptor).stream()
            .filter(line -> !line.startsWith("extended.plugins"))
            .toList();
    Files.write(descriptor, lines);
  }

  private static List<Path> files(Path dir) throws IOException {
    try (Stream<Path> all = Files.list(dir)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private static void user(ClusterClient manager) throws Exception {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < ROLES; i++) {
      names.add("\"bench" + i + "\"");
      String pattern = i == ROLES - 1 ? "bench-*" : "other" + i + "-*";
      put(
          manager,
          "roles/bench" + i,
          "{\"cluster_permissions\":[\"cluster_composite_ops\"],\"index_permissions\":"
              + "[{\"index_patterns\":[\""
              + pattern
              + "\"],\"allowed_actions\":[\"crud\"]}]}");
    }
    String name = USER.substring(0, USER.indexOf(':'));
    put(
        manager,
        "internalusers/" + name,
        "{\"password\":\""
            + USER.substring(name.length() + 1)
            + "\",\"opendistro_security_roles\":["
            + String.join(",", names)
            + "]}");
  }

  private static void put(ClusterClient manager, String path, String body) throws Exception {
    NodeCost.must(manager, Request.json("PUT", "/_plugins/_security/api/" + path, body));
  }
}
