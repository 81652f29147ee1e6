package io.millrace.doctor.check;

import io.millrace.doctor.finding.About;
import io.millrace.doctor.snapshot.Probe;
import java.util.List;

/** A check with what is known of it and what it reads; its rule is {@link #examine}. */
public abstract class Rule implements Check {
  private final About about;
  private final List<Probe> reads;

  /**
   * @param reads the probes without which it sees nothing
   */
  protected Rule(About about, Probe... reads) {
    this.about = about;
    this.reads = List.of(reads);
  }

  @Override
  public final About about() {
    return about;
  }

  @Override
  public final List<Probe> reads() {
    return reads;
  }

  /** An empty one of this check. */
  protected final Diagnosis diagnosis() {
    return new Diagnosis(about);
  }
}
