package io.millrace.doctor.finding;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cure: requests, a change of a configuration file, or a step that only people can take.
 *
 * @param calls requests in their order; empty when none cures it
 * @param config a diff of a configuration file; null for none
 * @param advice what else to do, or what to weigh first; null for nothing
 * @param undo requests that bring back what was, in their order
 * @param undoAdvice how to go back where no request does; null for nothing
 */
public record Fix(
    List<Call> calls,
    @Nullable String config,
    @Nullable String advice,
    List<Call> undo,
    @Nullable String undoAdvice) {
  public Fix {
    calls = List.copyOf(calls);
    undo = List.copyOf(undo);
  }

  /** Requests and the requests that undo them. */
  public static Fix calls(List<Call> calls, List<Call> undo) {
    return new Fix(calls, null, null, undo, null);
  }

  /** One request that changes nothing to go back from. */
  public static Fix call(String method, String path, @Nullable String body, String undo) {
    return new Fix(List.of(new Call(method, path, body)), null, null, List.of(), undo);
  }

  /** Lines of a file of every node named; the nodes are restarted one by one. */
  public static Fix config(String file, List<String> remove, List<String> add) {
    StringBuilder diff = new StringBuilder("--- config/").append(file);
    diff.append("\n+++ config/").append(file);
    remove.forEach(line -> diff.append("\n-").append(line));
    add.forEach(line -> diff.append("\n+").append(line));
    return new Fix(
        List.of(),
        diff.toString(),
        "Restart the nodes one after the other; wait for a green cluster in between.",
        List.of(),
        "Put the old lines back and restart.");
  }

  /** A step that no request and no file takes. */
  public static Fix advice(String text) {
    return new Fix(List.of(), null, text, List.of(), null);
  }

  /** The same with something to weigh. */
  public Fix and(String text) {
    String all = advice == null ? text : advice + " " + text;
    return new Fix(calls, config, all, undo, undoAdvice);
  }
}
