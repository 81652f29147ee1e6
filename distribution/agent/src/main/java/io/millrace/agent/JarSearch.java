package io.millrace.agent;

import java.net.URL;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What OpenSearch's search for classes that are there twice asks, once {@link JarSearchTransformer}
 * has changed it. Public and static because the changed method is not ours. Nothing is spared
 * before {@link #spare}.
 */
public final class JarSearch {
  /** One for each JVM: so is the method that asks. */
  private static final AtomicReference<@Nullable CheckedJars> CHECKED = new AtomicReference<>();

  private JarSearch() {}

  static void spare(CheckedJars checked) {
    CHECKED.set(checked);
  }

  /** Whether the search through these jars may be left out. */
  public static boolean isKnown(Set<URL> jars) {
    CheckedJars checked = CHECKED.get();
    return checked != null && checked.isKnown(jars);
  }

  /** The search through these jars has ended and found nothing. */
  public static void passed(Set<URL> jars) {
    CheckedJars checked = CHECKED.get();
    if (checked != null) {
      checked.pass(jars);
    }
  }
}
