package io.millrace.doctor.check;

import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One rule of the expert: what it looks for, and what it found in a snapshot.
 *
 * <p>A check must not throw for any answer that a server may give, must not fire on a healthy
 * cluster of any version, and must name numbers that a reader can look up.
 */
public interface Check {
  /** What is known of it before it runs. */
  About about();

  /** The probes without which it sees nothing. */
  default List<Probe> reads() {
    return List.of();
  }

  /** What is wrong, or nothing. */
  Optional<Finding> examine(Snapshot snapshot);

  /** Why it cannot say anything about this snapshot; null when it can. */
  default @Nullable String blind(Snapshot snapshot) {
    for (Probe probe : reads()) {
      if (snapshot.get(probe).isMissingNode()) {
        String why = snapshot.missing(probe);
        return probe.shown() + ": " + (why == null ? "not in the bundle" : why);
      }
    }
    return null;
  }
}
