package io.millrace.write.lateinversion;

import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.BytesTermAttribute;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** A value that is given its terms. */
final class GivenTerms extends Field implements LateTerms {
  private static final FieldType TYPE = new FieldType();

  static {
    TYPE.setTokenized(true);
    TYPE.setOmitNorms(true);
    TYPE.setIndexOptions(IndexOptions.DOCS);
    TYPE.freeze();
  }

  private final List<String> terms;

  GivenTerms(String name, List<String> terms) {
    super(name, "given", TYPE);
    this.terms = terms;
  }

  @Override
  public boolean mayBeLate() {
    return true;
  }

  @Override
  public TokenStream tokenStream(Analyzer analyzer, TokenStream reuse) {
    return terms(reuse);
  }

  @Override
  public TokenStream terms(@Nullable TokenStream reuse) {
    return new Stream(terms);
  }

  private static final class Stream extends TokenStream {
    private final BytesTermAttribute term = addAttribute(BytesTermAttribute.class);
    private final List<String> terms;
    private int next;

    Stream(List<String> terms) {
      this.terms = terms;
    }

    @Override
    public boolean incrementToken() {
      if (next == terms.size()) {
        return false;
      }
      term.setBytesRef(new BytesRef(terms.get(next++)));
      return true;
    }
  }
}
