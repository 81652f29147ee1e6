package io.millrace.access.tls;

import io.millrace.kernel.PrivilegedAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLContext;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.watcher.ResourceWatcher;

/**
 * Key material that follows its files: after a change, new connections use what the files hold then
 * and open ones stay as they are.
 *
 * <p>Two files cannot be replaced at once. While they do not fit, or one cannot be read, what was
 * read before stays in use, and every look tries again.
 */
final class LiveTls implements ResourceWatcher {
  private static final Logger LOGGER = LogManager.getLogger(LiveTls.class);

  private record Loaded(SSLContext context, Instant end, List<String> stamps) {}

  private final String use;
  private final KeyMaterial.Paths files;
  private final LongAdder reloads = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private volatile Loaded loaded;
  private volatile String said = "";

  /**
   * Reads the files.
   *
   * @param use for messages: {@code HTTP}
   * @throws IOException naming the file that cannot be used, and why
   */
  LiveTls(String use, KeyMaterial.Paths files) throws IOException {
    this.use = use;
    this.files = files;
    this.loaded = load();
  }

  /** For a new connection. */
  SSLContext context() {
    return loaded.context();
  }

  /** When the first certificate in use ends. */
  Instant end() {
    return loaded.end();
  }

  /** How often changed files were taken. */
  long reloads() {
    return reloads.sum();
  }

  /** How often changed files could not be taken. */
  long failures() {
    return failures.sum();
  }

  /** Why the files of now are not in use; empty when they are. */
  String trouble() {
    return said;
  }

  @Override
  public void init() {}

  @Override
  public void checkAndNotify() {
    try {
      if (PrivilegedAccess.call(this::stamps).equals(loaded.stamps())) {
        settled();
        return;
      }
      loaded = load();
      reloads.increment();
      settled();
      LOGGER.info(
          "new certificates for {}: new connections use them; the first ends at {}",
          use,
          loaded.end());
    } catch (IOException | RuntimeException e) {
      failures.increment();
      String why = String.valueOf(e.getMessage());
      if (!why.equals(said)) {
        said = why;
        LOGGER.warn(
            "changed certificates for {} are not used, those from before stay: {}", use, why);
      }
    }
  }

  private void settled() {
    said = "";
  }

  private Loaded load() throws IOException {
    return PrivilegedAccess.call(() -> {
      List<String> before = stamps();
      KeyMaterial material = KeyMaterial.read(files);
      try {
        return new Loaded(material.context(), material.end(), before);
      } catch (GeneralSecurityException e) {
        throw new IOException("TLS for " + use + " is not possible: " + e.getMessage(), e);
      }
    });
  }

  /** Differs after each replacement of a file. */
  private List<String> stamps() throws IOException {
    List<String> stamps = new ArrayList<>();
    for (Path file : files.all()) {
      try {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        stamps.add(now.lastModifiedTime() + " " + now.size() + " " + now.fileKey());
      } catch (NoSuchFileException e) {
        throw new IOException("[" + file + "] is missing", e);
      }
    }
    return stamps;
  }
}
