package io.millrace.agent;

import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which classes the agent does not change, for certain: those of which no ancestor is one of the
 * {@link #ROOTS}. Ancestors are read from the resources of the class's loader, as Byte Buddy reads
 * them, but each once. One that cannot be read rules nothing out.
 */
final class Ancestry {
  /** The agent changes these and, but for the last three, which are final, what extends them. */
  static final Set<String> ROOTS =
      Set.of(
          "java/net/Socket",
          "java/nio/channels/SocketChannel",
          "java/nio/channels/FileChannel",
          "java/nio/file/spi/FileSystemProvider",
          "java/nio/file/Files",
          "java/lang/System",
          "java/lang/Runtime",
          "javax/security/auth/Subject");

  private static final String OBJECT = "java/lang/Object";

  /** No class has so many ancestors; a resource that names itself as its parent has more. */
  private static final int MOST = 100;

  /** By loader, internal names of classes that have been ruled out. */
  private final Map<@Nullable ClassLoader, Set<String>> ruledOut =
      Collections.synchronizedMap(new WeakHashMap<>());

  /**
   * @param loader that defines the class; {@code null} for the JVM's own
   * @param name of the class, with slashes
   */
  boolean rulesOut(@Nullable ClassLoader loader, String name, byte[] file) {
    if (ROOTS.contains(name)) {
      return false;
    }
    String parent = ClassFile.superclass(file);
    for (int i = 0; i < MOST && parent != null && !ROOTS.contains(parent); i++) {
      if (parent.equals(OBJECT) || isKnown(loader, parent)) {
        known(loader).add(name);
        return true;
      }
      byte[] ancestor = read(loader, parent);
      parent = ancestor == null ? null : ClassFile.superclass(ancestor);
    }
    return false;
  }

  /** Loaders of the JDK ask their parents first, so a name is the same class there. */
  private boolean isKnown(@Nullable ClassLoader loader, String name) {
    ClassLoader at = loader;
    while (!known(at).contains(name)) {
      if (at == null || at.getClass().getClassLoader() != null) {
        return false;
      }
      at = at.getParent();
    }
    return true;
  }

  private Set<String> known(@Nullable ClassLoader loader) {
    Set<String> known = ruledOut.get(loader);
    if (known == null) {
      known = ConcurrentHashMap.newKeySet();
      Set<String> other = ruledOut.putIfAbsent(loader, known);
      known = other == null ? known : other;
    }
    return known;
  }

  private static byte @Nullable [] read(@Nullable ClassLoader loader, String name) {
    String path = name + ".class";
    try (InputStream in =
        loader == null
            ? ClassLoader.getSystemResourceAsStream(path)
            : loader.getResourceAsStream(path)) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      return null;
    }
  }
}
