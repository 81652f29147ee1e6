package io.millrace.write.logtext;

import io.millrace.write.lateinversion.LateTerms;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.jspecify.annotations.Nullable;

/**
 * One value of a {@code log_text} field in a Lucene document. It gives all its tokens until it is
 * known that a shard indexes it: a document may be parsed for other ends (a percolated document, an
 * artificial one for term vectors), and must then neither count as a sight of its template nor hide
 * its tokens in it.
 */
final class LogTextField extends Field implements LateTerms {
  private final String value;
  private final LogTextState.@Nullable FieldSketch known;
  private @Nullable TemplateSketch sketch;

  private LogTextField(
      String name,
      String value,
      FieldType type,
      LogTextState.@Nullable FieldSketch known,
      @Nullable TemplateSketch sketch) {
    super(name, value, type);
    this.value = value;
    this.known = known;
    this.sketch = sketch;
  }

  /**
   * A value that is indexed.
   *
   * @param sketch decides whether the value's template counts; null for the second and later values
   *     of a document, and while the feature is off
   */
  LogTextField(String name, String value, FieldType type, @Nullable TemplateSketch sketch) {
    this(name, value, type, null, sketch);
  }

  /**
   * A value that is indexed only if {@link #indexed} is called.
   *
   * @param known gives the sketch then; null for the second and later values of a document
   */
  static LogTextField parsed(
      String name, String value, FieldType type, LogTextState.@Nullable FieldSketch known) {
    return new LogTextField(name, value, type, known, null);
  }

  /** A shard is about to index the value: from here on it may be written by its template. */
  void indexed() {
    if (known != null) {
      sketch = known.current();
    }
  }

  @Override
  public boolean mayBeLate() {
    return !fieldType().stored();
  }

  @Override
  public TokenStream tokenStream(Analyzer analyzer, @Nullable TokenStream reuse) {
    return terms(reuse);
  }

  @Override
  public TokenStream terms(@Nullable TokenStream reuse) {
    LogTextStream stream = reuse instanceof LogTextStream ours ? ours : new LogTextStream();
    stream.set(value, sketch);
    return stream;
  }

  /** For logs and tests: whether the value may be written by its template. */
  @Override
  public String toString() {
    boolean template = sketch != null || known != null && known.offered();
    return "log_text<"
        + name()
        + ":"
        + value
        + (template ? ">, template if it comes again" : ">, all tokens");
  }
}
