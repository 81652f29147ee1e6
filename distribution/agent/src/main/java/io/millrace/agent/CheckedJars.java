package io.millrace.agent;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sets of jars in which an earlier start found no class twice. OpenSearch searches its own jars
 * once for each module and plugin (<a
 * href="https://github.com/opensearch-project/OpenSearch/blob/3.8.0/server/src/main/java/org/opensearch/plugins/PluginsService.java">{@code
 * PluginsService#checkBundleJarHell}</a>), half a million names at each start.
 *
 * <p>A set is known by path, size, time of change of the content and of the file itself of each of
 * its jars, and by the version of Java. A jar that is put in, replaced, or copied makes another
 * set, in which OpenSearch searches.
 */
final class CheckedJars {
  /** A file with more lines is begun anew; a distribution has some fifty sets. */
  private static final int MOST = 1000;

  private static final String ATTRIBUTES = "unix:size,lastModifiedTime,ctime";

  /** For how long sets that have passed are taken down, in minutes from the start of the JVM. */
  private static final int MINUTES = 10;

  private static final int SILENCE_SECONDS = 5;

  /** A jar may ask for a newer one, which is part of the search. */
  private static final String RUNTIME = Runtime.version().toString();

  private final File file;
  private final Set<String> known = ConcurrentHashMap.newKeySet();
  private final BlockingQueue<String> passed = new LinkedBlockingQueue<>();

  /** What is known of a jar, by its path: it is a part of each set. */
  private final Map<String, String> jars = new ConcurrentHashMap<>();

  private CheckedJars(File file) {
    this.file = file;
  }

  /**
   * Reads what earlier starts found, and takes down what this one finds. A file that cannot be read
   * knows nothing; one that cannot be written leaves the next start to search again.
   *
   * <p>Called before OpenSearch's guard knows its policy. The file is written by a thread of its
   * own, as the caller of the search may not write there.
   */
  static CheckedJars of(File file) {
    CheckedJars checked = new CheckedJars(file);
    try {
      List<String> lines = Files.readAllLines(file.toPath(), StandardCharsets.UTF_8);
      if (lines.size() <= MOST) {
        checked.known.addAll(lines);
      }
    } catch (IOException e) {
      // none yet
    }
    // no lambda: the classes of its making would be loaded while the agent looks at classes
    Thread writer =
        new Thread("millrace-checked-jars") {
          @Override
          public void run() {
            checked.takeDown();
          }
        };
    writer.setDaemon(true);
    writer.start();
    return checked;
  }

  /** Whether an earlier search through exactly these jars found nothing. */
  boolean isKnown(Set<URL> urls) {
    String set = name(urls);
    return set != null && known.contains(set);
  }

  /** A search through these jars found nothing. */
  void pass(Set<URL> urls) {
    String set = name(urls);
    if (set != null && known.add(set)) {
      passed.add(set);
    }
  }

  /** {@code null} where something is no jar, or cannot be looked at. */
  private @Nullable String name(Set<URL> urls) {
    try {
      TreeSet<String> all = new TreeSet<>(Set.of(RUNTIME));
      for (URL url : urls) {
        String path = url.getPath();
        if (!url.getProtocol().equals("file") || !path.endsWith(".jar")) {
          return null;
        }
        String jar = jars.get(path);
        if (jar == null) {
          jar = path + ' ' + new TreeMap<>(Files.readAttributes(Path.of(url.toURI()), ATTRIBUTES));
          jars.put(path, jar);
        }
        all.add(jar);
      }
      byte[] bytes = String.join("\n", all).getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (Exception e) {
      return null;
    }
  }

  private void takeDown() {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
    boolean news = false;
    try {
      while (news || System.nanoTime() < end) {
        String set = passed.poll(SILENCE_SECONDS, TimeUnit.SECONDS);
        if (set != null) {
          news = true;
        } else if (news) {
          write();
          news = false;
        }
      }
    } catch (InterruptedException | IOException e) {
      // the next start searches again
    }
  }

  /** Whole or not at all: another node of this machine may read it now. */
  private void write() throws IOException {
    File next = new File(file.getPath() + "." + ProcessHandle.current().pid() + ".new");
    try (FileOutputStream out = new FileOutputStream(next)) {
      out.write((String.join("\n", known) + "\n").getBytes(StandardCharsets.UTF_8));
    }
    if (!next.renameTo(file)) {
      throw new IOException(next + " cannot become " + file);
    }
  }
}
