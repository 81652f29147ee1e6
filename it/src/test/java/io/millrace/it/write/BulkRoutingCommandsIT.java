package io.millrace.it.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.it.support.Commands;
import io.millrace.it.support.Commands.Outcome;
import io.millrace.it.support.SharedCluster;
import io.millrace.testkit.Tree;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The commands by which operators know bulk routing, typed into a shell as they were published.
 *
 * <p>Two things differ from the publication: the port is the test node's, and the last two commands
 * close a quote that it leaves open.
 */
class BulkRoutingCommandsIT {
  @RegisterExtension static final SharedCluster CLUSTER = SharedCluster.of(Tree.MILLRACE, 3);

  private static final String CREATE =
      """
      curl -X PUT "localhost:9200/my-index" -H 'Content-Type: application/json' -d '{
        "settings" : {
          "index" : {
            "bulk_routing.enabled" : true
          }
        }
      }'
      """;

  private static final String UPDATE =
      """
      curl -X PUT "localhost:9200/my-index/_settings?pretty" -H 'Content-Type: application/json' -d'
      {
        "index.bulk_routing.enabled": true
      }
      '
      """;

  private static final String TEMPLATE =
      """
      curl -X PUT "localhost:9200/_template/bulk_routing_template?pretty" -H 'Content-Type: application/json' -d'
      {
        "index_patterns": ["indices-prefix*"],
        "settings": {
          "bulk_routing.enabled": true
        }
      }
      '
      """;

  private static final String SETTING = "/settings/index/bulk_routing/enabled";

  @Test
  void atCreation() throws IOException {
    assertAcknowledged(type(CREATE));
    assertEquals("true", setting("my-index"));
  }

  @Test
  void byDynamicUpdate() throws IOException {
    http().put("/my-index", "{}").ok();
    assertAcknowledged(type(UPDATE));
    assertEquals("true", setting("my-index"));
  }

  @Test
  void byTemplate() throws IOException {
    assertAcknowledged(type(TEMPLATE));
    http().put("/indices-prefix-1", "{}").ok();
    assertEquals("true", setting("indices-prefix-1"));
  }

  private static JsonHttp http() {
    return CLUSTER.http();
  }

  private static String setting(String index) {
    return http().get("/" + index + "/_settings").ok().at("/" + index + SETTING).asText();
  }

  private static Outcome type(String command) throws IOException {
    String here =
        command
            .replace("localhost:9200", http().base().getAuthority())
            .replaceFirst("curl ", "curl -sS -m 60 ");
    return Commands.run("bash", "-c", here);
  }

  private static void assertAcknowledged(Outcome outcome) {
    assertEquals(0, outcome.exitCode(), outcome.toString());
    assertTrue(
        outcome.output().replace(" ", "").contains("\"acknowledged\":true"), outcome.toString());
  }
}
