package io.millrace.cli.export;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How pages become one file. */
enum ExportFormat {
  /** An object for each row, one in a line: pages follow each other as they are. */
  NDJSON {
    @Override
    Pages pages(OutputStream out) {
      return new Pages() {
        @Override
        public void add(byte[] page) throws IOException {
          out.write(page);
        }

        @Override
        public void end() {}
      };
    }
  },
  /** An Arrow IPC stream: the schema once, a record batch for each page, the end once. */
  ARROW {
    @Override
    Pages pages(OutputStream out) {
      return new ArrowPages(out);
    }
  };

  /** Puts pages into a file. */
  interface Pages {
    /**
     * @throws IllegalStateException when a page does not fit those before it; the message says why
     */
    void add(byte[] page) throws IOException;

    void end() throws IOException;
  }

  abstract Pages pages(OutputStream out);

  /** Cuts the streams that pages are into their messages. */
  private static final class ArrowPages implements Pages {
    /** The continuation marker and a length of zero. */
    private static final byte[] END = {-1, -1, -1, -1, 0, 0, 0, 0};

    private final OutputStream out;
    private byte @Nullable [] schema;

    ArrowPages(OutputStream out) {
      this.out = out;
    }

    @Override
    public void add(byte[] page) throws IOException {
      int schemaEnds =
          page.length < 16
              ? -1
              : 8 + ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
      if (schemaEnds < 8
          || schemaEnds > page.length - END.length
          || !Arrays.equals(END, Arrays.copyOfRange(page, page.length - 8, page.length))) {
        throw new IllegalStateException("a page is no whole Arrow stream");
      }
      byte[] first = schema;
      byte[] its = Arrays.copyOf(page, schemaEnds);
      if (first == null) {
        schema = its;
        out.write(its);
      } else if (!Arrays.equals(first, its)) {
        throw new IllegalStateException(
            "the columns of a page have other types than those before: indices map a field"
                + " differently");
      }
      out.write(page, schemaEnds, page.length - schemaEnds - END.length);
    }

    @Override
    public void end() throws IOException {
      out.write(END);
    }
  }
}
