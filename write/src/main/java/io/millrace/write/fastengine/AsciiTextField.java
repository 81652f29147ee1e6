package io.millrace.write.fastengine;

import java.nio.charset.StandardCharsets;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.jspecify.annotations.Nullable;

/** Text below 128 that goes from the source's bytes to terms without becoming a string. */
final class AsciiTextField extends Field {
  private final byte[] text;
  private final int offset;
  private final int length;

  /** Keeps the bytes; they must not change before the document is indexed. */
  AsciiTextField(String name, FieldType type, byte[] text, int offset, int length) {
    super(name, type);
    this.text = text;
    this.offset = offset;
    this.length = length;
  }

  @Override
  public TokenStream tokenStream(Analyzer analyzer, @Nullable TokenStream reuse) {
    AsciiTokenStream stream =
        reuse instanceof AsciiTokenStream ascii ? ascii : new AsciiTokenStream();
    stream.text(text, offset, length);
    return stream;
  }

  @Override
  public String stringValue() {
    return new String(text, offset, length, StandardCharsets.ISO_8859_1);
  }
}
