package io.millrace.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A search is left out only where the same jars have passed one; OpenSearch's own code searches.
 */
class CheckedJarsTest {
  @TempDir Path folder;

  private static Path jar(Path file, String... classes) throws Exception {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file))) {
      for (String name : classes) {
        out.putNextEntry(new JarEntry(name + ".class"));
        out.closeEntry();
      }
    }
    return file;
  }

  private static Set<URL> urls(Path... jars) throws Exception {
    Set<URL> urls = new LinkedHashSet<>();
    for (Path jar : jars) {
      urls.add(jar.toUri().toURL());
    }
    return urls;
  }

  /** OpenSearch's search, changed as an agent changes it, in a loader of its own. */
  private static MethodHandle search() throws Exception {
    ClassLoader loader =
        new ClassLoader(CheckedJarsTest.class.getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(JarSearchTransformer.SEARCH.replace('/', '.'))) {
              return super.loadClass(name, resolve);
            }
            Class<?> there = findLoadedClass(name);
            if (there != null) {
              return there;
            }
            try (InputStream in = getResourceAsStream(JarSearchTransformer.SEARCH + ".class")) {
              byte[] changed =
                  new JarSearchTransformer()
                      .transform(this, JarSearchTransformer.SEARCH, null, null, in.readAllBytes());
              return defineClass(name, changed, 0, changed.length);
            } catch (IOException e) {
              throw new ClassNotFoundException(name, e);
            }
          }
        };
    Class<?> search = loader.loadClass(JarSearchTransformer.SEARCH.replace('/', '.'));
    return MethodHandles.lookup()
        .findStatic(
            search, "checkJarHell", MethodType.methodType(void.class, Set.class, Consumer.class));
  }

  private static int examined(MethodHandle search, Set<URL> jars) throws Throwable {
    AtomicInteger examined = new AtomicInteger();
    Consumer<String> output =
        line -> {
          if (line.startsWith("examining jar")) {
            examined.incrementAndGet();
          }
        };
    search.invokeWithArguments(jars, output);
    return examined.get();
  }

  private Path file() {
    return folder.resolve("checked.jars");
  }

  @Test
  void searchesOnceInTheSameJarsAndAgainInOthers() throws Throwable {
    MethodHandle search = search();
    JarSearch.spare(CheckedJars.of(file().toFile()));
    Path a = jar(folder.resolve("a.jar"), "a/A");
    Path b = jar(folder.resolve("b.jar"), "b/B");
    assertEquals(2, examined(search, urls(a, b)));
    assertEquals(0, examined(search, urls(a, b)));
    assertEquals(0, examined(search, urls(b, a)), "the order is no matter");
    assertEquals(1, examined(search, urls(a)), "another set");
    // what was found is there at the next start
    for (int i = 0; i < 300 && !Files.exists(file()); i++) {
      Thread.sleep(100);
    }
    JarSearch.spare(CheckedJars.of(file().toFile()));
    assertEquals(0, examined(search, urls(a, b)));
    // a jar of the same name, size and time of change
    FileTime time = Files.getLastModifiedTime(b);
    Files.delete(b);
    jar(b, "a/A");
    Files.setLastModifiedTime(b, time);
    JarSearch.spare(CheckedJars.of(file().toFile()));
    assertThrows(IllegalStateException.class, () -> examined(search, urls(a, b)));
    assertThrows(
        IllegalStateException.class,
        () -> examined(search, urls(a, b)),
        "a search that found something is not remembered");
  }

  @Test
  void aFileThatCannotBeReadOrIsTooLongKnowsNothing() throws Throwable {
    MethodHandle search = search();
    Path a = jar(folder.resolve("a.jar"), "a/A");
    Files.write(file(), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    JarSearch.spare(CheckedJars.of(file().toFile()));
    assertEquals(1, examined(search, urls(a)));
    Files.writeString(file(), "x\n".repeat(1001));
    JarSearch.spare(CheckedJars.of(file().toFile()));
    assertEquals(1, examined(search, urls(a)));
    JarSearch.spare(CheckedJars.of(folder.resolve("no/such/folder").toFile()));
    assertEquals(1, examined(search, urls(a)));
  }

  @Test
  void foldersAreSearchedAlways() throws Exception {
    CheckedJars checked = CheckedJars.of(file().toFile());
    Set<URL> jars = urls(Files.createDirectory(folder.resolve("classes")));
    checked.pass(jars);
    assertFalse(checked.isKnown(jars));
    Set<URL> jar = urls(jar(folder.resolve("a.jar"), "a/A"));
    assertFalse(checked.isKnown(jar));
    checked.pass(jar);
    assertTrue(checked.isKnown(jar));
  }
}
