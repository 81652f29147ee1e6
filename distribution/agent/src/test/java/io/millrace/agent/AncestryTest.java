package io.millrace.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import net.bytebuddy.ByteBuddy;
import org.junit.jupiter.api.Test;
import org.opensearch.javaagent.Agent;

/** What is ruled out is what OpenSearch's agent leaves as it is; it is asked itself. */
class AncestryTest {
  private final Ancestry ancestry = new Ancestry();

  private static class OwnSocket extends Socket {}

  private static final class Grandchild extends OwnSocket {}

  /** The transformer that the agent gives to a JVM. */
  private static ClassFileTransformer agent() throws Exception {
    AtomicReference<ClassFileTransformer> given = new AtomicReference<>();
    Agent.premain(
        null,
        (Instrumentation)
            Proxy.newProxyInstance(
                AncestryTest.class.getClassLoader(),
                new Class<?>[] {Instrumentation.class},
                (proxy, method, arguments) -> {
                  switch (method.getName()) {
                    case "addTransformer" -> given.set((ClassFileTransformer) arguments[0]);
                    case "getAllLoadedClasses" -> {
                      return new Class<?>[0];
                    }
                    default -> {
                      // the rest is answered below
                    }
                  }
                  return method.getReturnType() == boolean.class ? true : null;
                }));
    return given.get();
  }

  private static byte[] bytes(Class<?> type) throws IOException {
    try (InputStream in =
        AncestryTest.class.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class")) {
      return in.readAllBytes();
    }
  }

  private boolean rulesOut(Class<?> type) throws IOException {
    return ancestry.rulesOut(type.getClassLoader(), type.getName().replace('.', '/'), bytes(type));
  }

  @Test
  void classesOfTheJdkAndOfALibraryAsTheAgentItselfSays() throws Exception {
    FileSystem jdk = FileSystems.getFileSystem(URI.create("jrt:/"));
    ClassFileTransformer agent = agent();
    List<String> changed = new ArrayList<>();
    int[] all = new int[2];
    for (String each : List.of("java.base", "jdk.zipfs", "java.logging")) {
      Module module = ModuleLayer.boot().findModule(each).orElseThrow();
      ClassLoader loader = module.getClassLoader();
      each(
          jdk.getPath("modules", each),
          2,
          (name, file) -> {
            all[0]++;
            boolean out = ancestry.rulesOut(loader, name, file);
            all[1] += out ? 1 : 0;
            if (agent.transform(module, loader, name, null, null, file) != null) {
              changed.add(name);
              assertFalse(out, name);
            }
          });
    }
    ClassLoader loader = ByteBuddy.class.getClassLoader();
    Path jar = Path.of(ByteBuddy.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (FileSystem library = FileSystems.newFileSystem(jar)) {
      each(
          library.getPath("net/bytebuddy/dynamic"),
          3,
          (name, file) -> {
            all[0]++;
            all[1] += ancestry.rulesOut(loader, name, file) ? 1 : 0;
            assertNull(
                agent.transform(loader.getUnnamedModule(), loader, name, null, null, file), name);
          });
    }
    assertTrue(changed.contains("sun/nio/ch/FileChannelImpl"), changed.toString());
    assertTrue(changed.size() > 5, changed.toString());
    assertTrue(all[1] > all[0] * 0.95, all[1] + " of " + all[0]);
  }

  private interface Seen {
    void see(String name, byte[] file) throws Exception;
  }

  /** Every so many classes, and every one that may matter. */
  private static void each(Path root, int step, Seen seen) throws Exception {
    List<Path> files;
    try (Stream<Path> tree = Files.walk(root)) {
      files = tree.filter(file -> file.toString().endsWith(".class")).sorted().toList();
    }
    for (int i = 0; i < files.size(); i++) {
      String name = files.get(i).toString();
      if (i % step == 0 || name.matches(".*(Socket|Channel|FileSystemProvider|Files|Runtime).*")) {
        String inside = name.replaceFirst("^/?modules/[^/]+/", "").replaceFirst("\\.class$", "");
        seen.see(inside, Files.readAllBytes(files.get(i)));
      }
    }
  }

  @Test
  void aChildOfAChildOfASocketIsAsked() throws Exception {
    assertFalse(rulesOut(OwnSocket.class));
    assertFalse(rulesOut(Grandchild.class));
    assertFalse(rulesOut(Socket.class));
    assertFalse(rulesOut(SocketChannel.class));
    assertFalse(rulesOut(System.class));
    assertTrue(rulesOut(ArrayList.class));
    assertTrue(rulesOut(List.class));
  }

  /** An agent sees a class before its ancestors, which may be nowhere. */
  @Test
  void whatCannotBeReadIsAsked() throws Exception {
    byte[] file = bytes(Grandchild.class);
    ClassLoader none =
        new ClassLoader(null) {
          @Override
          public InputStream getResourceAsStream(String name) {
            return null;
          }
        };
    assertFalse(ancestry.rulesOut(none, "a/Grandchild", file));
    for (int length : new int[] {0, 3, 10, 100, file.length / 2}) {
      assertFalse(ancestry.rulesOut(none, "a/B", Arrays.copyOf(file, length)), "" + length);
      assertNull(ClassFile.superclass(Arrays.copyOf(file, length)));
    }
    assertEquals("io/millrace/agent/AncestryTest$OwnSocket", ClassFile.superclass(file));
    assertNull(ClassFile.superclass(bytes(Object.class)));
  }

  /** A resource that names itself as its parent does not hold up the start. */
  @Test
  void aCircleIsAsked() throws Exception {
    byte[] circle = bytes(Grandchild.class);
    ClassLoader loader =
        new ClassLoader(null) {
          @Override
          public InputStream getResourceAsStream(String name) {
            return new java.io.ByteArrayInputStream(circle);
          }
        };
    assertFalse(ancestry.rulesOut(loader, "a/Circle", circle));
  }

  @Test
  void whatIsRedefinedIsAlwaysAsked() throws Exception {
    byte[] answer = {1};
    SparingTransformer sparing =
        new SparingTransformer(
            new ClassFileTransformer() {
              @Override
              public byte[] transform(
                  Module module,
                  ClassLoader loader,
                  String name,
                  Class<?> redefined,
                  java.security.ProtectionDomain domain,
                  byte[] bytes) {
                return answer;
              }
            });
    byte[] list = bytes(ArrayList.class);
    Module base = Object.class.getModule();
    assertNull(sparing.transform(base, null, "java/util/ArrayList", null, null, list));
    assertNotNull(
        sparing.transform(base, null, "java/util/ArrayList", ArrayList.class, null, list));
    assertNotNull(sparing.transform(base, null, null, null, null, list));
  }
}
