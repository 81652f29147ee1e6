package io.millrace.keystore;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.TreeSet;
import org.opensearch.common.settings.KeyStoreWrapper;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code opensearch-keystore}: OpenSearch's own keystore program is not on Maven Central for 3.8.0,
 * its format is: this one reads and writes it through the server's {@link KeyStoreWrapper}
 * (KeyStoreWrapper#create, KeyStoreWrapper#load and KeyStoreWrapper#save), so a node and this
 * command agree by construction. Names and behaviour of the subcommands follow the original's, so
 * that runbooks keep working.
 *
 * <p>The keystore is {@code opensearch.keystore} in {@code OPENSEARCH_PATH_CONF}. Exit codes: 0
 * done, 1 failed, 2 wrong usage; {@code has-passwd} returns 1 for "no".
 */
@Command(
    name = "opensearch-keystore",
    description = "Secure settings of this node, in the keystore beside its configuration.",
    mixinStandardHelpOptions = true,
    subcommands = CommandLine.HelpCommand.class)
public final class KeystoreTool implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  private final Path config;
  private final Secrets secrets;

  KeystoreTool(Path config, Secrets secrets) {
    this.config = config;
    this.secrets = secrets;
  }

  static CommandLine commandLine(Path config, Secrets secrets) {
    CommandLine line = new CommandLine(new KeystoreTool(config, secrets));
    line.setExecutionExceptionHandler((e, at, parsed) -> {
      at.getErr().println("error: " + (e.getMessage() == null ? e : e.getMessage()));
      return 1;
    });
    return line;
  }

  public static void main(String[] args) {
    String conf = System.getProperty("opensearch.path.conf", "config");
    System.exit(commandLine(Path.of(conf), Secrets.ofProcess()).execute(args));
  }

  @Override
  public void run() {
    spec.commandLine().usage(out());
  }

  @Command(description = "Create an empty keystore.")
  int create(
      @Option(
              names = {"-p", "--password"},
              description = "protect it with a password: the node then reads it at start")
          boolean password)
      throws Exception {
    if (Files.exists(KeyStoreWrapper.keystorePath(config))
        && !secrets.confirm("A keystore exists already. Replace it?")) {
      throw new KeystoreFailure(
          "a keystore exists already: "
              + KeyStoreWrapper.keystorePath(config)
              + "; remove the file to start anew");
    }
    char[] secret = password ? secrets.readNew("New keystore password") : new char[0];
    try (KeyStoreWrapper keystore = KeyStoreWrapper.create()) {
      keystore.save(config, secret);
    }
    out().println("Created " + KeyStoreWrapper.keystorePath(config));
    return 0;
  }

  @Command(description = "List the names of the settings.")
  int list() throws Exception {
    try (Opened keystore = open()) {
      new TreeSet<>(keystore.store.getSettingNames()).forEach(out()::println);
    }
    return 0;
  }

  @Command(description = "Add settings; values are asked for, or read line by line from a pipe.")
  int add(
      @Parameters(paramLabel = "NAME", arity = "1..*") List<String> names,
      @Option(
              names = {"-x", "--stdin"},
              description = "read the values from standard input, one line each")
          boolean stdin,
      @Option(
              names = {"-f", "--force"},
              description = "replace a setting that exists; create a missing keystore")
          boolean force)
      throws Exception {
    names.forEach(KeyStoreWrapper::validateSettingName);
    Secrets values = stdin ? new Secrets(null, System.in) : secrets;
    try (Opened keystore = openOrCreate(force)) {
      for (String name : names) {
        keystore.mayReplace(name, force);
        keystore.store.setString(name, values.read("Value of " + name));
      }
      keystore.save();
    }
    return 0;
  }

  @Command(name = "add-file", description = "Add files as settings: NAME PATH pairs.")
  int addFile(
      @Parameters(paramLabel = "NAME PATH", arity = "2..*") List<String> pairs,
      @Option(
              names = {"-f", "--force"},
              description = "replace a setting that exists; create a missing keystore")
          boolean force)
      throws Exception {
    if (pairs.size() % 2 != 0) {
      throw new KeystoreFailure("\"" + pairs.getLast() + "\" has no file: give NAME PATH pairs");
    }
    try (Opened keystore = openOrCreate(force)) {
      for (int i = 0; i < pairs.size(); i += 2) {
        String name = pairs.get(i);
        Path file = Path.of(pairs.get(i + 1));
        KeyStoreWrapper.validateSettingName(name);
        if (!Files.isRegularFile(file)) {
          throw new KeystoreFailure("no such file: " + file);
        }
        keystore.mayReplace(name, force);
        keystore.store.setFile(name, Files.readAllBytes(file));
      }
      keystore.save();
    }
    return 0;
  }

  @Command(description = "Remove settings.")
  int remove(@Parameters(paramLabel = "NAME", arity = "1..*") List<String> names) throws Exception {
    try (Opened keystore = open()) {
      for (String name : names) {
        keystore.require(name);
        keystore.store.remove(name);
      }
      keystore.save();
    }
    return 0;
  }

  @Command(description = "Print the value of a setting.")
  int show(@Parameters(paramLabel = "NAME") String name) throws Exception {
    try (Opened keystore = open()) {
      keystore.require(name);
      // a string is kept as its UTF-8 bytes: both kinds can be written as they are
      try (InputStream value = keystore.store.getFile(name)) {
        out().println(new String(value.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return 0;
  }

  @Command(description = "Change the keystore's password; an empty one takes it away.")
  int passwd() throws Exception {
    try (Opened keystore = open()) {
      keystore.store.save(config, secrets.readNew("New keystore password"));
    }
    out().println("Password changed");
    return 0;
  }

  @Command(name = "has-passwd", description = "Exit code 0 when the keystore has a password.")
  int hasPasswd(
      @Option(
              names = {"-s", "--silent"},
              description = "print nothing")
          boolean silent)
      throws Exception {
    try (KeyStoreWrapper keystore = load()) {
      if (!silent) {
        out().println(keystore.hasPassword() ? "has a password" : "has no password");
      }
      return keystore.hasPassword() ? 0 : 1;
    }
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private KeyStoreWrapper load() throws IOException {
    KeyStoreWrapper keystore = KeyStoreWrapper.load(config);
    if (keystore == null) {
      throw new KeystoreFailure(
          "no keystore at "
              + KeyStoreWrapper.keystorePath(config)
              + "; make one with: opensearch-keystore create");
    }
    return keystore;
  }

  private Opened open() throws IOException, GeneralSecurityException {
    KeyStoreWrapper keystore = load();
    char[] password =
        keystore.hasPassword() ? secrets.read("Password of the keystore") : new char[0];
    try {
      keystore.decrypt(password);
    } catch (SecurityException e) {
      keystore.close();
      throw new KeystoreFailure(
          keystore.hasPassword()
              ? "wrong password, or the keystore is damaged"
              : "the keystore is damaged: " + e.getMessage());
    }
    return new Opened(keystore, password);
  }

  private Opened openOrCreate(boolean force) throws IOException, GeneralSecurityException {
    if (Files.exists(KeyStoreWrapper.keystorePath(config))) {
      return open();
    }
    if (!force && !secrets.confirm("There is no keystore yet. Create it?")) {
      load(); // says what is missing
    }
    return new Opened(KeyStoreWrapper.create(), new char[0]);
  }

  /** A decrypted keystore and the password it is written back with. */
  private final class Opened implements AutoCloseable {
    final KeyStoreWrapper store;
    private final char[] password;

    Opened(KeyStoreWrapper store, char[] password) {
      this.store = store;
      this.password = password;
    }

    void mayReplace(String name, boolean force) {
      if (!force
          && store.getSettingNames().contains(name)
          && !secrets.confirm("Setting " + name + " exists already. Replace it?")) {
        throw new KeystoreFailure("setting " + name + " exists already; replace it with --force");
      }
    }

    void require(String name) {
      if (!store.getSettingNames().contains(name)) {
        throw new KeystoreFailure("no setting " + name + " in the keystore");
      }
    }

    void save() throws Exception {
      store.save(config, password);
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
