package io.millrace.cli.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace role}: what users and keys may. */
@Command(
    name = "role",
    description = "Roles of a secured cluster: list, put, delete.",
    subcommands = {RoleCommand.All.class, RoleCommand.Put.class, RoleCommand.Delete.class})
public final class RoleCommand extends AccessGroup {
  /** The built-in ones, too. */
  @Command(name = "list", description = "Show every role and what it may.")
  static final class All extends AccessCommand {
    @Override
    void run(ClusterClient client) {
      table(ask(client, "GET", "/roles", null), All::shown);
    }

    private static String shown(JsonNode role) {
      StringJoiner text = new StringJoiner("; ");
      if (!role.path("cluster").isEmpty()) {
        text.add("cluster " + joined(role.path("cluster")));
      }
      role.path("indices")
          .forEach(each ->
              text.add(joined(each.path("names")) + " = " + joined(each.path("privileges"))));
      if (role.path("built_in").asBoolean()) {
        text.add("(built in)");
      }
      return text.toString();
    }
  }

  /** Made or replaced. */
  @Command(name = "put", description = "Make a role, or replace it.")
  static final class Put extends AccessCommand {
    @Parameters(arity = "1", paramLabel = "NAME", description = "such as shop")
    private String name = "";

    @Option(
        names = {"-c", "--cluster"},
        split = ",",
        paramLabel = "PRIVILEGE",
        description = "monitor, manage or snapshot")
    private List<String> cluster = new ArrayList<>();

    @Option(
        names = {"-i", "--indices"},
        paramLabel = "PATTERN[,PATTERN]=PRIVILEGE[,PRIVILEGE]",
        description = "such as 'shop-*=read,append'; read, append, write, monitor, manage, all")
    private List<String> indices = new ArrayList<>();

    @Override
    void run(ClusterClient client) {
      ObjectNode body = JSON.createObjectNode();
      body.set("cluster", list(cluster));
      ArrayNode all = body.putArray("indices");
      for (String each : indices) {
        int equals = each.indexOf('=');
        if (equals < 1 || equals == each.length() - 1) {
          throw new ExpectedFailure(
              ExitCode.USAGE,
              "--indices " + each + " names no pattern or no privilege",
              "Give them as 'shop-*=read,append'.");
        }
        ObjectNode one = all.addObject();
        one.set("names", list(List.of(each.substring(0, equals).split(","))));
        one.set("privileges", list(List.of(each.substring(equals + 1).split(","))));
      }
      ask(client, "PUT", "/roles" + step(name), body);
      out().println("role " + name + " counts on every node");
    }
  }

  /** Gone at once. */
  @Command(name = "delete", description = "Remove a role; whoever has it loses what it gave.")
  static final class Delete extends AccessCommand {
    @Parameters(arity = "1", paramLabel = "NAME", description = "such as shop")
    private String name = "";

    @Override
    void run(ClusterClient client) {
      ask(client, "DELETE", "/roles" + step(name), null);
      out().println("role " + name + " is gone");
    }
  }
}
