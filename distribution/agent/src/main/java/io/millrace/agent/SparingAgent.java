package io.millrace.agent;

import java.io.File;
import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * Starts OpenSearch's java agent ({@code org.opensearch.javaagent.Agent}), which guards files,
 * sockets and the end of the process, and shows it only classes that it may want to change.
 *
 * <p>It also spares OpenSearch the search for classes that are there twice, in jars in which an
 * earlier start has searched ({@link CheckedJars}).
 *
 * <p>Why: for each of 20,000 classes Byte Buddy reads the class, its superclass, the superclass of
 * that, and so on, to learn that it is no socket and no channel.
 */
public final class SparingAgent {
  private static final String AGENT = "org.opensearch.javaagent.Agent";

  /** Names the file of {@link CheckedJars}; without it every start searches, as on stock. */
  private static final String CHECKED_JARS = "millrace.checked.jars";

  private SparingAgent() {}

  /** What fails here ends the JVM, as it does for the agent itself: no node runs unguarded. */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation)
      throws ReflectiveOperationException {
    // this class is on the boot class path, the agent's is not
    Class.forName(AGENT, true, ClassLoader.getSystemClassLoader())
        .getMethod("premain", String.class, Instrumentation.class)
        .invoke(null, arguments, new SparingInstrumentation(instrumentation));
    String file = System.getProperty(CHECKED_JARS);
    if (file != null) {
      JarSearch.spare(CheckedJars.of(new File(file)));
      instrumentation.addTransformer(new JarSearchTransformer());
    }
  }
}
