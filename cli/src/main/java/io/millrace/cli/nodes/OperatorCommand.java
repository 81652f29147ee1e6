package io.millrace.cli.nodes;

import io.millrace.cli.terminal.SecretInput;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.credential.Operators;
import io.millrace.credential.PasswordHash;
import io.millrace.launcher.certificates.PrivateFiles;
import io.millrace.launcher.secure.SecuredWorkspace;
import io.millrace.launcher.workspace.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code millrace operator NAME}: gives a name and a password to a file of operators, in which
 * every node finds those who may always get in. Nodes read the file again while they run.
 *
 * <p>The password is made up and told once, or read: from the terminal without showing it, else the
 * first line of standard input. It is never an argument, which other users could see.
 */
@Command(
    name = "operator",
    description = {
      "Give an operator a password.",
      "An operator may do anything, also while the cluster has no manager. Without --file the "
          + "password is for the secured nodes that run here."
    })
public final class OperatorCommand extends NodeCommand {
  @Parameters(arity = "1", paramLabel = "NAME", description = "such as admin")
  private String name = "";

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "the file, such as config/millrace/operators of a node; made when missing")
  private @Nullable Path file;

  @Option(
      names = "--read",
      description = "read the password from the terminal or standard input instead of making one")
  private boolean read;

  @Override
  public Integer call() throws Exception {
    if (!Operators.NAME.matcher(name).matches()) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "\"" + name + "\" is not the name of an operator",
          "Give letters, digits and . _ @ -, at most 64.");
    }
    if (file != null) {
      Path given = Unprivileged.asCalled(file);
      Path folder = given.getParent();
      if (folder != null) {
        PrivateFiles.makeFolder(folder);
      }
      String before = Files.exists(given) ? Files.readString(given) : "";
      PrivateFiles.write(given, with(before, given));
      out().println(given + " names " + name + "; it must belong to the user who runs the node");
      return ExitCode.OK;
    }
    Workspace place = Workspace.locate();
    int code = asServerUser(place, null);
    if (code >= 0) {
      return code;
    }
    try (AutoCloseable lock = exclusively(place)) {
      SecuredWorkspace secured = new SecuredWorkspace(place);
      if (!secured.on()) {
        throw new ExpectedFailure(
            ExitCode.NOT_RUNNING,
            "no secured nodes run here",
            "Start them: millrace up --secure; or name the file: --file.");
      }
      Path own = place.secrets().resolve("operators");
      PrivateFiles.write(own, with(Files.readString(own), own));
      secured.handOverOperators(place.nodes());
      return ExitCode.OK;
    }
  }

  private String with(String before, Path where) throws IOException {
    try {
      Operators.parse(before);
    } catch (IllegalArgumentException e) {
      throw new ExpectedFailure(
          ExitCode.INPUT, where + ": " + e.getMessage(), "Mend or remove that line.", e);
    }
    char[] password = read ? SecretInput.password() : PasswordHash.random();
    String now;
    try {
      now = Operators.with(before, name, PasswordHash.of(password));
    } catch (IllegalArgumentException e) {
      throw new ExpectedFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), null, e);
    }
    if (!read) {
      out().println("user: " + name);
      out().println("password: " + new String(password));
      out().flush();
    }
    return now;
  }
}
