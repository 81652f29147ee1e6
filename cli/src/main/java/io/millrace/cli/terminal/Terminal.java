package io.millrace.cli.terminal;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * One command's user: where answers, notes and details go, and what was typed. Made of picocli's
 * own model, so that a command need not know the root command that lists it.
 */
public final class Terminal {
  /** The root command's option that shows details. */
  public static final String VERBOSE = "--verbose";

  private final CommandSpec spec;

  public Terminal(CommandSpec spec) {
    this.spec = spec;
  }

  /** Where answers go. */
  public PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Where everything else goes. */
  public PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Whether the user asked for details. */
  public boolean verbose() {
    OptionSpec option = spec.root().findOption(VERBOSE);
    return option != null && Boolean.TRUE.equals(option.getValue());
  }

  /** Says something that only {@link #VERBOSE} shows. */
  public void detail(String text) {
    if (verbose()) {
      err().println(text);
      err().flush();
    }
  }

  /** Says something the user should know of. */
  public void note(String text) {
    err().println("note: " + text);
    err().flush();
  }

  /** The words after the program's name, as they were typed. */
  public List<String> words() {
    return spec.root().commandLine().getParseResult().originalArgs();
  }

  /** The class to start a second process of this program with. */
  public Class<?> program() {
    return spec.root().userObject().getClass();
  }
}
