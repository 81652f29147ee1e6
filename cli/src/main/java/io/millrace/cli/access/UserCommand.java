package io.millrace.cli.access;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.terminal.SecretInput;
import io.millrace.client.ClusterClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace user}: those who log in with a name and a password. */
@Command(
    name = "user",
    description = "Users of a secured cluster: list, put, passwd, delete.",
    subcommands = {
      UserCommand.All.class,
      UserCommand.Put.class,
      UserCommand.Passwd.class,
      UserCommand.Delete.class
    })
public final class UserCommand extends AccessGroup {
  /** Names and roles. */
  @Command(name = "list", description = "Show every user and their roles.")
  static final class All extends AccessCommand {
    @Override
    void run(ClusterClient client) {
      table(ask(client, "GET", "/users", null), user -> joined(user.path("roles")));
    }
  }

  /** Made or changed. */
  @Command(
      name = "put",
      description = {
        "Make a user, or give one other roles and a new password.",
        "The password is read from the terminal or standard input."
      })
  static final class Put extends AccessCommand {
    @Parameters(arity = "1", paramLabel = "NAME", description = "such as anna")
    private String name = "";

    @Option(
        names = {"-r", "--role"},
        split = ",",
        paramLabel = "ROLE",
        description = "what the user may: built in, or made with millrace role put")
    private List<String> roles = new ArrayList<>();

    @Option(names = "--keep-password", description = "change the roles of a known user only")
    private boolean keep;

    @Override
    void run(ClusterClient client) throws IOException {
      ObjectNode body = JSON.createObjectNode();
      body.set("roles", list(roles));
      if (!keep) {
        body.put("password", new String(SecretInput.password()));
      }
      ask(client, "PUT", "/users" + step(name), body);
      out().println("user " + name + " has roles " + joined(body.path("roles")));
    }
  }

  /** One's own, or somebody's. */
  @Command(
      name = "passwd",
      description = {
        "Change a password, one's own without NAME.",
        "The new one is read from the terminal or standard input."
      })
  static final class Passwd extends AccessCommand {
    @Parameters(arity = "0..1", paramLabel = "NAME", description = "whose; needs superuser")
    private @Nullable String name;

    @Override
    void run(ClusterClient client) throws IOException {
      ObjectNode body = JSON.createObjectNode();
      body.put("password", new String(SecretInput.password()));
      ask(client, "PUT", name == null ? "/password" : "/users" + step(name), body);
      out().println("the password is changed, on every node");
    }
  }

  /** Gone at once. */
  @Command(name = "delete", description = "Remove a user; their keys end with them.")
  static final class Delete extends AccessCommand {
    @Parameters(arity = "1", paramLabel = "NAME", description = "such as anna")
    private String name = "";

    @Override
    void run(ClusterClient client) {
      ask(client, "DELETE", "/users" + step(name), null);
      out().println("user " + name + " is gone");
    }
  }
}
