package io.millrace.doctor.check;

import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Evidence;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a check sees: cases with their severity, numbers with their path, and the cure. A
 * check that saw no case has no finding.
 */
public final class Diagnosis {
  private final About about;
  private final List<String> subjects = new ArrayList<>();
  private final List<Evidence> evidence = new ArrayList<>();
  private Severity severity = Severity.INFO;
  private double weight;

  public Diagnosis(About about) {
    this.about = about;
  }

  /** A case: the severity of the finding is that of its worst case. */
  public Diagnosis found(Severity of, String subject) {
    severity = of.compareTo(severity) > 0 ? of : severity;
    if (!subjects.contains(subject)) {
      subjects.add(subject);
    }
    return this;
  }

  /** A number behind the last case; null is written as such. */
  public Diagnosis seen(String path, @Nullable Object value) {
    if (evidence.size() < Finding.MOST_EVIDENCE) {
      evidence.add(new Evidence(path, String.valueOf(value)));
    }
    return this;
  }

  /** How much it hurts, 0 to 100; the largest counts. */
  public Diagnosis weigh(double value) {
    weight = Math.max(weight, Math.min(100, value));
    return this;
  }

  /** Whether no case was seen. */
  public boolean none() {
    return subjects.isEmpty();
  }

  public List<String> subjects() {
    return subjects;
  }

  /** The first names, and how many more there are. */
  public String names() {
    int shown = Math.min(3, subjects.size());
    String names = String.join(", ", subjects.subList(0, shown));
    return subjects.size() > shown ? names + " and " + (subjects.size() - shown) + " more" : names;
  }

  /** The finding, if there was a case. */
  public Optional<Finding> saying(String what, Fix fix) {
    return none()
        ? Optional.empty()
        : Optional.of(new Finding(about, severity, what, subjects, evidence, fix, weight));
  }
}
