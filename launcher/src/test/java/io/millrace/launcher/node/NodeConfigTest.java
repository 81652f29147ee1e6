package io.millrace.launcher.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.certificates.CertificateFolder;
import io.millrace.launcher.secure.LocalSecrets;
import io.millrace.launcher.secure.NodeSecurity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeConfigTest {
  @TempDir private Path dir;
  private Path tree;

  @BeforeEach
  void aTree() throws IOException {
    tree = dir.resolve("tree");
    Path flags = Files.createDirectories(tree.resolve("config/jvm.options.d"));
    Files.writeString(tree.resolve("config/jvm.options"), "-Xms1g\n");
    Files.writeString(tree.resolve("config/log4j2.properties"), "status = error\n");
    Files.writeString(flags.resolve("gc.options"), "-XX:+UseG1GC\n");
    Path search = Files.createDirectories(tree.resolve("config/jvm-profiles/search/jvm.options.d"));
    Files.writeString(
        search.resolve("gc.options"), "-XX:+UseZGC\n21-:-XX:NoSuchFlagAnywhere=4\n# reason\n");
    Files.writeString(
        tree.resolve("config/jvm-profiles/search/opensearch.yml"), "# why\na.b: 20%\n");
  }

  private NodeSpec.Builder spec() {
    return NodeSpec.builder(tree, dir.resolve("node")).ports(9201, 9301).heap("512m");
  }

  private List<String> yml(NodeSpec spec) throws IOException {
    return Files.readAllLines(spec.config().resolve("opensearch.yml"));
  }

  @Test
  void aNodeAloneFormsItsOwnCluster() throws IOException {
    NodeSpec spec = spec().build();
    NodeConfig.write(spec);
    assertTrue(yml(spec).contains("discovery.type: single-node"));
    assertTrue(yml(spec).contains("network.host: 127.0.0.1"));
    assertTrue(yml(spec).contains("http.port: 9201"));
    assertEquals(
        List.of("-Xms512m", "-Xmx512m"),
        Files.readAllLines(spec.config().resolve("jvm.options.d/zz-node.options")));
  }

  @Test
  void aNodeThatIsOpenOnPurposeSaysSoToItsPlugin() throws IOException {
    NodeSpec open = spec().setting("network.host", "0.0.0.0").exposed(true).build();
    String allowed = "millrace.access.unprotected: allowed";
    NodeConfig.write(open);
    assertFalse(yml(open).contains(allowed), "a stock tree does not know the setting");
    Files.createDirectories(tree.resolve("plugins/millrace"));
    NodeConfig.write(open);
    assertTrue(yml(open).contains(allowed), yml(open).toString());
    NodeSpec here = spec().exposed(true).build();
    NodeConfig.write(here);
    assertFalse(yml(here).contains(allowed), "loopback needs no permission");
    assertThrows(
        ExpectedFailure.class,
        () -> NodeConfig.write(spec().setting("network.host", "0.0.0.0").build()));
  }

  @Test
  void aSecuredNodeIsNotMadeLessSoByASetting() {
    NodeSecurity secured =
        new NodeSecurity(
            "node-1", new CertificateFolder(dir.resolve("tls")), new LocalSecrets(dir));
    for (String undoes : List.of("http.type=millrace", "millrace.access.enabled=false")) {
      String[] setting = undoes.split("=");
      NodeSpec spec = spec().security(secured).setting(setting[0], setting[1]).build();
      ExpectedFailure refused = assertThrows(ExpectedFailure.class, () -> NodeConfig.write(spec));
      assertTrue(refused.getMessage().contains("-E " + undoes), refused.getMessage());
    }
    secured.require(Map.of("http.type", "millrace-secure", "node.attr.rack", "r1"));
  }

  @Test
  void firstManagersAreNamedForTheFirstStartOnly() throws IOException {
    NodeSpec first = spec().discovery(List.of("127.0.0.1:9300"), List.of("node-1")).build();
    NodeConfig.write(first);
    assertTrue(yml(first).contains("cluster.initial_cluster_manager_nodes: node-1"));
    NodeSpec later = spec().discovery(List.of("127.0.0.1:9300"), List.of()).build();
    NodeConfig.write(later);
    assertTrue(yml(later).contains("discovery.seed_hosts: \"127.0.0.1:9300\""));
    assertFalse(yml(later).toString().contains("initial_cluster_manager"));
  }

  @Test
  void ownSettingsAreTheStrongest() throws IOException {
    NodeSpec spec = spec().setting("network.host", "127.0.0.2").setting("x", "a \"b\" #c").build();
    NodeConfig.write(spec);
    assertTrue(yml(spec).contains("network.host: 127.0.0.2"));
    assertTrue(yml(spec).contains("x: \"a \\\"b\\\" #c\""));
  }

  @Test
  void theTreesSettingsArriveInWhateverFormTheyStand() throws IOException {
    Files.writeString(
        tree.resolve("config/opensearch.yml"),
        """
        # a comment
        http.type: millrace   # and another
        millrace.write.profiles.indices.logs: ["logs-*", 'app: x-*']
        millrace:
          write.profiles.indices:
            traces:
              - traces-*
              - sw_*
        node.attr:
          zone: "a: b"
          path: C:\\new
        """);
    NodeSpec spec = spec().build();
    NodeConfig.write(spec);
    List<String> yml = yml(spec);
    assertTrue(yml.contains("http.type: millrace"));
    assertTrue(yml.contains("millrace.write.profiles.indices.logs: [\"logs-*\", \"app: x-*\"]"));
    assertTrue(yml.contains("millrace.write.profiles.indices.traces: [\"traces-*\", \"sw_*\"]"));
    assertTrue(yml.contains("node.attr.zone: \"a: b\""));
    // written again from what was written: the same
    Files.write(tree.resolve("config/opensearch.yml"), yml.subList(1, yml.size()));
    NodeConfig.write(spec);
    assertEquals(yml, yml(spec));
  }

  @Test
  void theLaunchersSettingsOverrideTheTreesAndTheUsersBoth() throws IOException {
    Files.writeString(
        tree.resolve("config/opensearch.yml"),
        """
        network.host: 0.0.0.0
        http.port: 9200
        discovery.type: single-node
        millrace.write.profiles.indices.logs: ["logs-*"]
        a.list: [x, y]
        b.list.0: x
        b.list.1: y
        """);
    NodeSpec spec =
        spec()
            .discovery(List.of("127.0.0.1:9300"), List.of("node-1"))
            .setting("millrace.write.profiles.indices.logs", "app-*,web-*")
            .setting("a.list.0", "z")
            .setting("b.list", "z")
            .build();
    NodeConfig.write(spec);
    List<String> yml = yml(spec);
    assertTrue(yml.contains("network.host: 127.0.0.1"));
    assertTrue(yml.contains("http.port: 9201"));
    assertFalse(yml.toString().contains("single-node"));
    assertTrue(yml.contains("millrace.write.profiles.indices.logs: \"app-*,web-*\""));
    assertEquals(
        List.of("a.list.0: z", "b.list: z"),
        yml.stream().filter(line -> line.matches("[ab]\\.list.*")).sorted().toList());
    assertEquals(1, yml.stream().filter(line -> line.startsWith("network.host")).count());
  }

  @Test
  void aTreesFileThatIsNoYamlIsNamed() throws IOException {
    for (String broken : List.of("a: [x\n", "a: x\na: y\n", "just words\n")) {
      Files.writeString(tree.resolve("config/opensearch.yml"), broken);
      ExpectedFailure failure =
          assertThrows(ExpectedFailure.class, () -> NodeConfig.write(spec().build()));
      assertTrue(failure.getMessage().contains("opensearch.yml"), failure.getMessage());
    }
  }

  @Test
  void aProfileReplacesTheCollectorAndLeavesUnknownFlagsOut() throws IOException {
    NodeSpec spec = spec().profile("search").build();
    assertEquals(List.of("21-:-XX:NoSuchFlagAnywhere=4"), NodeConfig.write(spec));
    assertEquals(
        List.of("-XX:+UseZGC", "# not known to this JDK: 21-:-XX:NoSuchFlagAnywhere=4", "# reason"),
        Files.readAllLines(spec.config().resolve("jvm.options.d/gc.options")));
    assertTrue(yml(spec).contains("a.b: \"20%\""));
    NodeConfig.write(spec().build());
    assertEquals(
        List.of("-XX:+UseG1GC"),
        Files.readAllLines(spec.config().resolve("jvm.options.d/gc.options")));
  }

  @Test
  void anUnknownProfileNamesTheKnownOnes() {
    ExpectedFailure failure =
        assertThrows(ExpectedFailure.class, () -> NodeConfig.write(spec().profile("nope").build()));
    assertTrue(failure.getMessage().contains("nope"));
    assertTrue(String.valueOf(failure.remedy()).contains("search"));
  }

  @Test
  void theKeystoreSurvives() throws IOException {
    NodeSpec spec = spec().build();
    NodeConfig.write(spec);
    Path keystore = Files.writeString(spec.config().resolve("opensearch.keystore"), "k");
    NodeConfig.write(spec);
    assertEquals("k", Files.readString(keystore));
  }

  @Test
  void flagsOfOtherVersionsAreNoMatter() {
    KnownFlags known = new KnownFlags(25, Set.of("UseZGC"));
    assertEquals(
        List.of("-XX:+NoSuch", "9-:-XX:NoSuch=1", "25:-XX:+No"),
        known.unknownIn(
            List.of(
                "-XX:+UseZGC",
                "-XX:+NoSuch",
                "-Xmx1g",
                "",
                "9-:-XX:NoSuch=1",
                "21-24:-XX:+No",
                "25:-XX:+No")));
  }
}
