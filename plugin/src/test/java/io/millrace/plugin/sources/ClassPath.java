package io.millrace.plugin.sources;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** What a class is called and what it has, as the class path of these tests knows it. */
public final class ClassPath {
  private static final List<String> JDK =
      List.of("java.lang.", "java.util.", "java.io.", "java.net.", "java.nio.file.", "java.time.");

  /** Full names by the name without packages, {@code Outer.Inner} for one in another. */
  private final Map<String, List<String>> names = new HashMap<>();

  private final Map<String, Set<String>> members = new HashMap<>();

  /** Lists every jar and folder of the class path. */
  public ClassPath() {
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    for (String entry : path.split(File.pathSeparator)) {
      try {
        if (entry.endsWith(".jar")) {
          try (JarFile jar = new JarFile(entry)) {
            jar.stream().forEach(file -> add(file.getName()));
          }
        } else if (Files.isDirectory(Path.of(entry))) {
          try (Stream<Path> files = Files.walk(Path.of(entry))) {
            files.forEach(file -> add(Path.of(entry).relativize(file).toString()));
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(entry, e);
      }
    }
  }

  private void add(String file) {
    if (file.endsWith(".class") && !file.startsWith("META-INF")) {
      String full = file.substring(0, file.length() - ".class".length()).replace('/', '.');
      String simple = full.substring(full.lastIndexOf('.') + 1).replace('$', '.');
      names.computeIfAbsent(simple, name -> new ArrayList<>()).add(full);
      int nested = simple.lastIndexOf('.');
      if (nested > 0) {
        names.computeIfAbsent(simple.substring(nested + 1), name -> new ArrayList<>()).add(full);
      }
    }
  }

  /** The full names that a class of this name may have. */
  public List<String> classes(String simple) {
    List<String> found = new ArrayList<>(names.getOrDefault(simple, List.of()));
    JDK.stream()
        .map(prefix -> prefix + simple.replace('.', '$'))
        .filter(full -> url(full) != null)
        .forEach(found::add);
    return found;
  }

  /** Whether the class at this place of a source tree is on the class path. */
  public boolean has(String fullName) {
    return url(fullName) != null;
  }

  /** Methods, fields, nested classes and, by the class's own name, constructors; also inherited. */
  public Set<String> members(String fullName) {
    return members.computeIfAbsent(fullName, this::read);
  }

  private Set<String> read(String fullName) {
    Set<String> found = new TreeSet<>();
    try {
      Class<?> type = Class.forName(fullName, false, ClassLoader.getSystemClassLoader());
      found.add(type.getSimpleName());
      add(type, found);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(fullName + " was listed and is not there", e);
    } catch (LinkageError e) {
      // one of an optional library that this build does not have
      return Set.of();
    }
    return found;
  }

  private static void add(Class<?> type, Set<String> found) {
    Stream.of(type.getDeclaredMethods()).map(Method::getName).forEach(found::add);
    Stream.of(type.getDeclaredFields()).map(Field::getName).forEach(found::add);
    Stream.of(type.getDeclaredClasses()).map(Class::getSimpleName).forEach(found::add);
    if (type.getSuperclass() != null) {
      add(type.getSuperclass(), found);
    }
    for (Class<?> implemented : type.getInterfaces()) {
      add(implemented, found);
    }
  }

  private static URL url(String fullName) {
    return ClassLoader.getSystemResource(fullName.replace('.', '/') + ".class");
  }
}
