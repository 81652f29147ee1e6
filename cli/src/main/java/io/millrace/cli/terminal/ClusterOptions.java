package io.millrace.cli.terminal;

import io.millrace.client.ClientOptions;
import io.millrace.client.Credentials;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What {@code --url} and {@code --user}, or the environment, say about the cluster to talk to. */
public final class ClusterOptions {
  private ClusterOptions() {}

  /**
   * @param user {@code name:password}; {@code null} for that of {@code MILLRACE_USER}, if any
   */
  public static ClientOptions of(List<String> urls, @Nullable String user) {
    String named = user == null ? System.getenv("MILLRACE_USER") : user;
    return ClientOptions.of(urls).credentials(named == null ? null : Credentials.basic(named));
  }

  /** Prints what the client found worth a note. */
  public static Consumer<String> notes(PrintWriter err) {
    return text -> {
      err.println("note: " + text);
      err.flush();
    };
  }
}
