package io.millrace.cli.nodes;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.certificates.CertificateFolder;
import io.millrace.launcher.certificates.Names;
import io.millrace.launcher.workspace.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code millrace certificates}: the authorities and the certificates of a cluster's nodes as PEM
 * files. Without {@code --dir} they are those of the nodes that {@code up --secure} runs here.
 */
@Command(
    name = "certificates",
    description = "TLS certificates of the nodes: create, renew, show, csr.",
    subcommands = {
      CertificatesCommand.Create.class,
      CertificatesCommand.Renew.class,
      CertificatesCommand.Show.class,
      CertificatesCommand.Csr.class
    })
public final class CertificatesCommand extends NodeCommand {
  @Override
  public Integer call() {
    spec.commandLine().usage(out());
    return ExitCode.USAGE;
  }

  /** Which folder, and with whose rights. */
  abstract static class OnFolder extends NodeCommand {
    @Option(
        names = "--dir",
        paramLabel = "DIR",
        description = "folder of the certificates (default: those of the nodes that run here)")
    private @Nullable Path dir;

    @Override
    public final Integer call() throws Exception {
      if (dir != null) {
        return on(new CertificateFolder(Unprivileged.asCalled(dir)), null);
      }
      Workspace place = Workspace.locate();
      int code = asServerUser(place, null);
      if (code >= 0) {
        return code;
      }
      try (AutoCloseable lock = exclusively(place)) {
        return on(new CertificateFolder(place.certificates()), place);
      }
    }

    /**
     * @param place where the nodes of this folder run, or null
     */
    abstract int on(CertificateFolder folder, @Nullable Workspace place) throws IOException;

    final void written(List<Path> files) {
      files.forEach(file -> out().println("wrote " + file));
    }
  }

  /** Names of nodes, and how long their certificates are to be valid. */
  abstract static class Making extends OnFolder {
    @Option(
        names = "--days",
        paramLabel = "N",
        description = "how long a node's certificate is valid, 1 to 3650 (default 730)")
    private int days = (int) CertificateFolder.VALIDITY.toDays();

    final Duration validity() {
      if (days < 1 || days > 3650) {
        throw new ExpectedFailure(
            ExitCode.USAGE, "--days " + days + " is not possible", "Give 1 to 3650.");
      }
      return Duration.ofDays(days);
    }
  }

  /** Keeps what is there. */
  @Command(
      name = "create",
      description = {
        "Make two certificate authorities unless they are there, and a folder per node",
        "with its certificates and keys. What is there stays."
      })
  static final class Create extends Making {
    @Parameters(
        arity = "1..*",
        paramLabel = "NODE=HOST,ADDRESS",
        description = "a node's name, and the host names and addresses at which it is reached")
    private List<String> nodes = new ArrayList<>();

    @Override
    int on(CertificateFolder folder, @Nullable Workspace place) throws IOException {
      Duration validity = validity();
      for (Names names : nodes.stream().map(Names::parse).toList()) {
        List<Path> files = folder.create(names, validity);
        written(files);
        if (files.isEmpty()) {
          out()
              .println(
                  names.node() + " has its certificates; new ones: millrace certificates renew");
        } else {
          out().println("for node " + names.node() + ": " + folder.ofNode(names.node()));
        }
      }
      return ExitCode.OK;
    }
  }

  /** Gives new keys, too. */
  @Command(
      name = "renew",
      description = {
        "Give nodes new keys and certificates with the names that they have. A running node",
        "takes them within seconds; connections that are open stay as they are."
      })
  static final class Renew extends Making {
    @Parameters(arity = "0..*", paramLabel = "NODE", description = "nodes (default: all)")
    private List<String> nodes = new ArrayList<>();

    @Override
    int on(CertificateFolder folder, @Nullable Workspace place) throws IOException {
      Duration validity = validity();
      List<String> all = nodes.isEmpty() ? folder.nodes() : nodes;
      if (all.isEmpty()) {
        throw none();
      }
      for (String node : all) {
        written(folder.renew(node, validity));
        Path config =
            place == null ? null : place.nodes().resolve(node).resolve("config/certificates");
        if (config != null && Files.isDirectory(config)) {
          folder.handOver(node, config);
          out().println(node + " has them");
        }
      }
      return ExitCode.OK;
    }
  }

  /** For people and for cron: the exit code tells. */
  @Command(
      name = "show",
      description = {
        "Show whom the certificates are made out to and when they end. Exit code 1 when one",
        "ends within --warn days."
      })
  static final class Show extends OnFolder {
    @Option(
        names = "--warn",
        paramLabel = "DAYS",
        description = "how many days before its end a certificate counts as ending (default 30)")
    private int warn = 30;

    @Override
    int on(CertificateFolder folder, @Nullable Workspace place) throws IOException {
      if (warn < 0) {
        throw new ExpectedFailure(
            ExitCode.USAGE, "--warn " + warn + " is not possible", "Give 0 days or more.");
      }
      List<CertificateFolder.Entry> all = folder.all();
      if (all.isEmpty()) {
        throw none();
      }
      boolean ending = false;
      Instant now = Instant.now();
      for (CertificateFolder.Entry entry : all) {
        Instant end = entry.certificate().getNotAfter().toInstant();
        long days = Math.floorDiv(ChronoUnit.SECONDS.between(now, end), 86_400L);
        boolean soon = days < warn;
        ending |= soon;
        out()
            .printf(
                Locale.ROOT,
                "%s%n  %s  until %s, %s%s%n",
                entry.file(),
                entry.certificate().getSubjectX500Principal().getName(),
                end.truncatedTo(ChronoUnit.SECONDS),
                days < 0 ? "ENDED" : days + " days",
                soon ? "  renew it: millrace certificates renew" : "");
        if (!entry.hosts().isEmpty()) {
          out().println("  " + String.join(", ", entry.hosts()));
        }
      }
      return ending ? ExitCode.FAILED : ExitCode.OK;
    }
  }

  /** For an authority of the user's own. */
  @Command(
      name = "csr",
      description = {
        "Make keys, and requests for certificates that an authority of your own signs:",
        "http.csr and transport.csr. Put the answers beside them as http.crt and",
        "transport.crt, and the authorities' certificates as http-ca.crt and transport-ca.crt."
      })
  static final class Csr extends OnFolder {
    @Parameters(
        arity = "1..*",
        paramLabel = "NODE=HOST,ADDRESS",
        description = "a node's name, and the host names and addresses at which it is reached")
    private List<String> nodes = new ArrayList<>();

    @Override
    int on(CertificateFolder folder, @Nullable Workspace place) throws IOException {
      for (Names names : nodes.stream().map(Names::parse).toList()) {
        written(folder.request(names));
      }
      return ExitCode.OK;
    }
  }

  private static ExpectedFailure none() {
    return new ExpectedFailure(
        ExitCode.NOT_RUNNING,
        "there are no certificates here",
        "Make them: millrace up --secure, or millrace certificates create; or name their folder"
            + " with --dir.");
  }
}
