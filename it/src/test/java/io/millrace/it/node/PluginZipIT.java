package io.millrace.it.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.it.support.Commands;
import io.millrace.it.support.Commands.Outcome;
import io.millrace.it.support.Lines;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.Folders;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The plugin zip in a stock tree, through stock's own {@code opensearch-plugin}. */
class PluginZipIT {
  private Path folder = Path.of("");
  private Path home = Path.of("");

  @BeforeEach
  void copyStock() throws IOException {
    folder = Files.createTempDirectory("millrace-zip-");
    Files.setPosixFilePermissions(
        folder, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
    home = folder.resolve("stock");
    Folders.copy(Tree.STOCK.home(), home);
  }

  @AfterEach
  void remove() {
    Folders.remove(folder);
  }

  private Outcome plugin(String... arguments) throws IOException {
    List<String> command = new java.util.ArrayList<>();
    command.add(home.resolve("bin/opensearch-plugin").toString());
    command.addAll(List.of(arguments));
    return Commands.run(
        folder, Map.of("OPENSEARCH_JAVA_HOME", System.getProperty("java.home")), command);
  }

  @Test
  void installsListsActsAndLeavesAStockNode() throws IOException {
    plugin("install", "--batch", Tree.pluginZip().toUri().toString()).ok();
    assertTrue(plugin("list").ok().output().contains("millrace"));

    try (Cluster cluster = Cluster.mixed().node(home).start()) {
      var http = cluster.http();
      assertTrue(http.get("/_cat/plugins").ok().body().contains("millrace"));
      assertTrue(http.get("/_millrace").ok().at("/features").has("write.bulk-routing"));
      http.put(
              "/logs",
              "{\"settings\":{\"number_of_shards\":3,\"number_of_replicas\":0,"
                  + "\"index.bulk_routing.enabled\":true}}")
          .ok();
      Lines.load(http, "logs", 3, 50);
      http.post("/logs/_refresh").ok();
      assertEquals(150, http.get("/logs/_count").ok().at("/count").asInt());
    }

    plugin("remove", "millrace").ok();
    assertFalse(plugin("list").ok().output().contains("millrace"));
    try (Cluster cluster = Cluster.mixed().node(home).start()) {
      var http = cluster.http();
      assertEquals("", http.get("/_cat/plugins").ok().body().strip());
      assertEquals(400, http.get("/_millrace").status());
      Lines.load(http, "logs", 1, 50);
      assertEquals(
          400, http.put("/more", "{\"settings\":{\"index.bulk_routing.enabled\":true}}").status());
    }
  }

  @Test
  void aZipForAnotherVersionIsRefused() throws IOException {
    Path zip = folder.resolve("other.zip");
    Files.copy(Tree.pluginZip(), zip);
    try (FileSystem inside =
        FileSystems.newFileSystem(URI.create("jar:" + zip.toUri()), Map.of())) {
      Path descriptor = inside.getPath("plugin-descriptor.properties");
      String text = Files.readString(descriptor, StandardCharsets.UTF_8);
      String other = text.replaceAll("(?m)^opensearch\\.version=.*$", "opensearch.version=3.7.0");
      assertNotEquals(text, other);
      Files.writeString(descriptor, other);
    }
    Outcome outcome = plugin("install", "--batch", zip.toUri().toString());
    assertNotEquals(0, outcome.exitCode());
    assertTrue(outcome.output().contains("3.7.0"), outcome.toString());
    assertFalse(plugin("list").ok().output().contains("millrace"));
  }
}
