package io.millrace.cli.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.client.ClusterClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace key}: API keys of programs. */
@Command(
    name = "key",
    description = "API keys of a secured cluster: list, create, delete.",
    subcommands = {KeyCommand.All.class, KeyCommand.Create.class, KeyCommand.Delete.class})
public final class KeyCommand extends AccessGroup {
  /** One's own; the superuser's list has all. */
  @Command(name = "list", description = "Show one's own keys; a superuser sees all.")
  static final class All extends AccessCommand {
    @Override
    void run(ClusterClient client) {
      table(
          ask(client, "GET", "/keys", null),
          key ->
              key.path("name").asText()
                  + "  owner "
                  + key.path("owner").asText()
                  + "  roles "
                  + joined(key.path("roles"))
                  + "  "
                  + expires(key));
    }
  }

  /** When, in words. */
  static String expires(JsonNode key) {
    long at = key.path("expires").asLong();
    return at == 0 ? "never expires" : "expires " + Instant.ofEpochMilli(at);
  }

  /** The secret is shown here and nowhere else. */
  @Command(
      name = "create",
      description = {
        "Make a key with roles of one's own, and print its secret, once.",
        "As the header Authorization: ApiKey ENCODED, or id and secret as name and password."
      })
  static final class Create extends AccessCommand {
    @Parameters(arity = "1", paramLabel = "NAME", description = "what it is for")
    private String name = "";

    @Option(
        names = {"-r", "--role"},
        split = ",",
        paramLabel = "ROLE",
        description = "some of one's own roles (default: all of them)")
    private List<String> roles = new ArrayList<>();

    @Option(names = "--expires", paramLabel = "TIME", description = "such as 90d (default: never)")
    private @Nullable String expires;

    @Override
    void run(ClusterClient client) {
      ObjectNode body = JSON.createObjectNode();
      body.put("name", name);
      body.set("roles", list(roles));
      if (expires != null) {
        body.put("expires_in", expires);
      }
      ObjectNode made = ask(client, "POST", "/keys", body);
      for (String field : List.of("id", "secret", "encoded")) {
        out().println(field + ": " + made.path(field).asText());
      }
      out().println(expires(made));
    }
  }

  /** Revoked at once. */
  @Command(name = "delete", description = "Revoke a key.")
  static final class Delete extends AccessCommand {
    @Parameters(arity = "1", paramLabel = "ID", description = "as millrace key list shows it")
    private String id = "";

    @Override
    void run(ClusterClient client) {
      ask(client, "DELETE", "/keys" + step(id), null);
      out().println("key " + id + " is revoked");
    }
  }
}
