package io.millrace.doctor.tune;

import java.util.List;

/**
 * The whole diff of a cluster for a use.
 *
 * @param cluster its UUID
 * @param steps templates first, so that an index that comes meanwhile has what they say
 * @param notes what is left as it is, and why
 * @param looked how many indices were looked at
 */
public record TunePlan(String cluster, Use use, List<Step> steps, List<String> notes, int looked) {
  public TunePlan {
    steps = List.copyOf(steps);
    notes = List.copyOf(notes);
  }

  /** The indices that have to be closed, by name. */
  public List<String> closings() {
    return steps.stream()
        .filter(step -> step.kind() == Step.Kind.CLOSED_INDEX)
        .flatMap(step -> step.names().stream())
        .toList();
  }
}
