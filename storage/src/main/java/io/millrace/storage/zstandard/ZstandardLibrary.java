package io.millrace.storage.zstandard;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.util.Native;
import io.millrace.kernel.PrivilegedAccess;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether the native half of zstd-jni can be used in this JVM.
 *
 * <p>Why: a codec whose library is missing must not surface as a LinkageError in the middle of a
 * flush, which would end the node. The library is loaded once, before the first use, and every user
 * asks {@link #problem()} first.
 *
 * <p>Sources: OpenSearch 3.8.0 ships zstd-jni 1.5.6-1 in lib/ (opensearch-compress 3.8.0) and
 * grants it {@code loadLibrary.*} (security.policy:87), so that the plugin brings no copy of its
 * own: two copies are jar hell and stop the node. zstd-jni unpacks its library into {@code
 * java.io.tmpdir} (zstd-jni, util/Native.java) unless {@code -DZstdNativePath} names one.
 */
public final class ZstandardLibrary {
  private ZstandardLibrary() {}

  /** Loads on first touch, once per JVM; the class initializer is the lock. */
  private static final class Loaded {
    private static final @Nullable String PROBLEM = load();
  }

  /**
   * Loads the library if that has not been tried yet.
   *
   * @return null when the library works, else a sentence that says what is wrong and what to do
   */
  public static @Nullable String problem() {
    return Loaded.PROBLEM;
  }

  private static @Nullable String load() {
    try {
      boolean works =
          PrivilegedAccess.call(() -> {
            Native.load();
            byte[] probe = {1, 2, 3};
            return Arrays.equals(probe, Zstd.decompress(Zstd.compress(probe), probe.length));
          });
      return works ? null : explain("a self-test gave wrong data");
    } catch (IOException | RuntimeException | LinkageError e) {
      return explain(e.toString());
    }
  }

  static String explain(String cause) {
    return String.format(
        Locale.ROOT,
        "the native zstd library cannot be loaded on this node (%s); java.io.tmpdir [%s] must be"
            + " writable and not mounted noexec: set OPENSEARCH_TMPDIR to such a directory, or name"
            + " a zstd-jni library with -DZstdNativePath=..., and restart the node",
        cause,
        System.getProperty("java.io.tmpdir"));
  }
}
