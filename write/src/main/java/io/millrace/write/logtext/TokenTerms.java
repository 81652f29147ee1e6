package io.millrace.write.logtext;

import io.millrace.kernel.postings.DocsOnlyTerms;
import java.util.Arrays;
import org.apache.lucene.index.BaseTermsEnum;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a segment's templates as a term dictionary, so that Lucene's own wildcard, regexp,
 * range and fuzzy enumerations run over them as they run over the segment's terms.
 */
final class TokenTerms extends DocsOnlyTerms {
  private final BytesRef[] tokens;

  TokenTerms(BytesRef[] sortedTokens) {
    this.tokens = sortedTokens;
  }

  @Override
  public TermsEnum iterator() {
    return new Cursor(tokens);
  }

  @Override
  public long size() {
    return tokens.length;
  }

  @Override
  public long getSumDocFreq() {
    return tokens.length;
  }

  @Override
  public int getDocCount() {
    return tokens.length;
  }

  private static final class Cursor extends BaseTermsEnum {
    private final BytesRef[] tokens;
    private int at = -1;

    Cursor(BytesRef[] tokens) {
      this.tokens = tokens;
    }

    @Override
    public @Nullable BytesRef next() {
      return ++at < tokens.length ? tokens[at] : null;
    }

    @Override
    public SeekStatus seekCeil(BytesRef text) {
      int i = Arrays.binarySearch(tokens, text);
      at = i >= 0 ? i : -i - 1;
      if (at == tokens.length) {
        return SeekStatus.END;
      }
      return i >= 0 ? SeekStatus.FOUND : SeekStatus.NOT_FOUND;
    }

    @Override
    public void seekExact(long ord) {
      at = Math.toIntExact(ord);
    }

    @Override
    public BytesRef term() {
      return tokens[at];
    }

    @Override
    public long ord() {
      return at;
    }

    @Override
    public int docFreq() {
      return 1;
    }

    @Override
    public long totalTermFreq() {
      return 1;
    }

    @Override
    public PostingsEnum postings(@Nullable PostingsEnum reuse, int flags) {
      throw new UnsupportedOperationException("tokens of templates have no postings of their own");
    }

    @Override
    public ImpactsEnum impacts(int flags) {
      throw new UnsupportedOperationException("tokens of templates have no postings of their own");
    }
  }
}
