package io.millrace.cli.ingest;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of a run, checked before anything is sent. A file that does not exist ends the run:
 * its name is a mistake. Of several inputs, those that hold no lines to read (folders, what is no
 * text, what may not be read) are left out, so that {@code ingest /var/log/*} does what it can.
 *
 * @param inputs what can be read; not empty
 * @param left names those that were left out, for the end of the run
 */
record InputList(List<Input> inputs, @Nullable ExpectedFailure left) {
  private static final int MOST_NAMED = 8;

  /**
   * @throws ExpectedFailure with exit code {@link ExitCode#INPUT} when one is missing or none is
   *     left
   */
  static InputList of(List<String> names) {
    List<Input> inputs = new ArrayList<>();
    List<Input.Unfit> unfit = new ArrayList<>();
    for (String name : names) {
      Input input = Input.of(name);
      Input.Unfit why = input.unfit();
      if (why == null) {
        inputs.add(input);
      } else {
        unfit.add(why);
      }
    }
    if (unfit.isEmpty()) {
      return new InputList(List.copyOf(inputs), null);
    }
    if (names.size() == 1) {
      Input.Unfit only = unfit.get(0);
      throw new ExpectedFailure(
          ExitCode.INPUT,
          only.name() + " is " + only.why(),
          only.remedy() == null ? "Nothing was sent." : "Nothing was sent. " + only.remedy());
    }
    String text = unfit.size() + " of " + names.size() + " inputs cannot be read: " + listed(unfit);
    if (inputs.isEmpty()) {
      throw new ExpectedFailure(ExitCode.INPUT, text, "Nothing was sent.");
    }
    return new InputList(
        List.copyOf(inputs),
        new ExpectedFailure(ExitCode.INPUT, text, "They were left out, the others were read."));
  }

  private static String listed(List<Input.Unfit> unfit) {
    StringBuilder text = new StringBuilder();
    for (Input.Unfit each : unfit.subList(0, Math.min(MOST_NAMED, unfit.size()))) {
      text.append(text.isEmpty() ? "" : ", ").append(each.name()).append(" (" + each.why() + ")");
    }
    return unfit.size() <= MOST_NAMED
        ? text.toString()
        : text.append(" and ").append(unfit.size() - MOST_NAMED).append(" others").toString();
  }
}
