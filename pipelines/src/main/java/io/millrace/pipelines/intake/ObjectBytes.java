package io.millrace.pipelines.intake;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * Many JSON objects by one generator, each taken away as bytes: a generator of its own costs an
 * object more than many of its fields do.
 */
public final class ObjectBytes {
  private final Buffer buffer = new Buffer();
  private final XContentBuilder out;

  public ObjectBytes() {
    try {
      out = new XContentBuilder(XContentType.JSON.xContent(), buffer);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a buffer has none
    }
  }

  /** What an object is written with, from its first brace to its last. */
  public XContentBuilder out() {
    return out;
  }

  /** Forgets what was written. */
  public void begin() throws IOException {
    out.flush();
    buffer.reset();
  }

  /**
   * The object that was written, its fields behind those of another one.
   *
   * @param common an object without its last brace; empty for none
   */
  public byte[] behind(byte[] common) throws IOException {
    out.flush();
    return buffer.behind(common);
  }

  private static final class Buffer extends ByteArrayOutputStream {
    Buffer() {
      super(1024);
    }

    byte[] behind(byte[] common) {
      int brace = 0;
      while (buf[brace] != '{') {
        brace++; // a generator puts a space between two objects
      }
      byte[] whole = new byte[common.length + count - brace];
      System.arraycopy(common, 0, whole, 0, common.length);
      System.arraycopy(buf, brace, whole, common.length, count - brace);
      if (common.length > 0) {
        whole[common.length] = ','; // in the place of the second object's first brace
      }
      return whole;
    }
  }
}
