package io.millrace.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublishedAddressesTest {
  /** Nodes {@code n0}, {@code n1} and so on, with these addresses. */
  private static List<String> beyond(String given, String... published) {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    ObjectNode nodes = answer.putObject("nodes");
    for (int i = 0; i < published.length; i++) {
      ObjectNode node = nodes.putObject("id" + i).put("name", "n" + i);
      node.putObject("http").put("publish_address", published[i]);
    }
    return PublishedAddresses.beyond(answer, "n0", List.of(given.split(",")));
  }

  @Test
  void theNodesBesideTheGivenOneAreAsked() {
    assertEquals(
        List.of("http://203.0.113.2:9200", "http://[2001:db8::3]:9200"),
        beyond("http://es1:9200", "203.0.113.1:9200", "203.0.113.2:9200", "[2001:db8::3]:9200"));
    assertEquals(
        List.of("http://127.0.0.1:9201"),
        beyond("http://localhost:9200", "127.0.0.1:9200", "127.0.0.1:9201"));
    assertEquals(
        List.of(), beyond("http://localhost:9201,http://localhost:9200", "x", "127.0.0.1:9200"));
  }

  @Test
  void behindATunnelNoPublishedAddressCounts() {
    assertEquals(List.of(), beyond("http://localhost:9201", "127.0.0.1:9200", "127.0.0.1:9202"));
    assertEquals(
        List.of(), beyond("http://127.0.0.1:9201", "203.0.113.1:9200", "203.0.113.2:9200"));
    assertEquals(List.of(), beyond("https://[::1]", "203.0.113.1:9200", "203.0.113.2:9200"));
  }

  @Test
  void aLoopbackAddressOfAnotherMachineIsNotOurs() {
    assertEquals(List.of(), beyond("http://es1:9200", "127.0.0.1:9200", "127.0.0.1:9201"));
  }

  @Test
  void overTlsANodeIsAskedByTheNameItsCertificateHas() {
    assertEquals(
        List.of("https://es2:9200", "https://203.0.113.3:9200"),
        beyond(
            "https://es1:9200",
            "es1/203.0.113.1:9200",
            "es2/203.0.113.2:9200",
            "203.0.113.3:9200"));
    assertEquals(
        List.of("http://203.0.113.2:9200"),
        beyond("http://es1:9200", "es1/203.0.113.1:9200", "es2/203.0.113.2:9200"));
  }

  @Test
  void whatIsNoAddressIsLeftOut() {
    assertEquals(
        List.of(), beyond("http://es1:9200", "203.0.113.1:9200", "", "203.0.113.2", "a:b"));
  }
}
