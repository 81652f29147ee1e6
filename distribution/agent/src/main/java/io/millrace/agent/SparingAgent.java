package io.millrace.agent;

import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * Starts OpenSearch's java agent ({@code org.opensearch.javaagent.Agent}), which guards files,
 * sockets and the end of the process, and shows it only classes that it may want to change.
 *
 * <p>Why: for each of 20,000 classes Byte Buddy reads the class, its superclass, the superclass of
 * that, and so on, to learn that it is no socket and no channel.
 */
public final class SparingAgent {
  private static final String AGENT = "org.opensearch.javaagent.Agent";

  private SparingAgent() {}

  /** What fails here ends the JVM, as it does for the agent itself: no node runs unguarded. */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation)
      throws ReflectiveOperationException {
    // this class is on the boot class path, the agent's is not
    Class.forName(AGENT, true, ClassLoader.getSystemClassLoader())
        .getMethod("premain", String.class, Instrumentation.class)
        .invoke(null, arguments, new SparingInstrumentation(instrumentation));
  }
}
