package io.millrace.write.logtext;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.jspecify.annotations.Nullable;

/** One value of a {@code log_text} field in a Lucene document. */
final class LogTextField extends Field {
  private final String value;
  private final @Nullable TemplateSketch sketch;

  /**
   * @param sketch decides whether the value's template counts; null for the second and later values
   *     of a document, and while the feature is off
   */
  LogTextField(String name, String value, FieldType type, @Nullable TemplateSketch sketch) {
    super(name, value, type);
    this.value = value;
    this.sketch = sketch;
  }

  @Override
  public TokenStream tokenStream(Analyzer analyzer, @Nullable TokenStream reuse) {
    LogTextStream stream = reuse instanceof LogTextStream ours ? ours : new LogTextStream();
    stream.set(value, sketch);
    return stream;
  }

  /** For logs and tests: whether the value may be written by its template. */
  @Override
  public String toString() {
    return "log_text<"
        + name()
        + ":"
        + value
        + (sketch == null ? ">, all tokens" : ">, template if it comes again");
  }
}
