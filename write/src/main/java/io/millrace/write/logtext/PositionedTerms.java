package io.millrace.write.logtext;

import java.io.IOException;
import java.util.function.Supplier;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SlowImpactsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a {@code log_text} field with positions, for whoever asks their postings for them:
 * intervals and spans. Nobody else pays for them.
 */
final class PositionedTerms extends FilterLeafReader.FilterTerms {
  private final Supplier<SourcePositions> positions;

  /**
   * @param positions of the segment, for the thread that asks
   */
  PositionedTerms(Terms in, Supplier<SourcePositions> positions) {
    super(in);
    this.positions = positions;
  }

  @Override
  public TermsEnum iterator() throws IOException {
    return new Cursor(in.iterator());
  }

  @Override
  public TermsEnum intersect(CompiledAutomaton automaton, @Nullable BytesRef startTerm)
      throws IOException {
    return new Cursor(in.intersect(automaton, startTerm));
  }

  @Override
  public @Nullable BytesRef getMin() throws IOException {
    return in.getMin();
  }

  @Override
  public @Nullable BytesRef getMax() throws IOException {
    return in.getMax();
  }

  @Override
  public boolean hasPositions() {
    return true;
  }

  private final class Cursor extends FilterLeafReader.FilterTermsEnum {
    Cursor(TermsEnum in) {
      super(in);
    }

    @Override
    public PostingsEnum postings(@Nullable PostingsEnum reuse, int flags) throws IOException {
      PostingsEnum old = reuse instanceof Postings ? null : reuse;
      return PostingsEnum.featureRequested(flags, PostingsEnum.POSITIONS)
          ? new Postings(
              in.postings(null, PostingsEnum.NONE), BytesRef.deepCopyOf(in.term()), positions.get())
          : in.postings(old, flags);
    }

    @Override
    public ImpactsEnum impacts(int flags) throws IOException {
      return PostingsEnum.featureRequested(flags, PostingsEnum.POSITIONS)
          ? new SlowImpactsEnum(postings(null, flags))
          : in.impacts(flags);
    }
  }

  /** Reads a document when its frequency or a position is first asked for. */
  private static final class Postings extends FilterLeafReader.FilterPostingsEnum {
    private final BytesRef token;
    private final SourcePositions source;
    private int[] positions = {};
    private int known = -1;
    private int next;

    Postings(PostingsEnum documents, BytesRef token, SourcePositions source) {
      super(documents);
      this.token = token;
      this.source = source;
    }

    private int[] here() throws IOException {
      if (known != in.docID()) {
        positions = source.of(in.docID(), token);
        known = in.docID();
        next = 0;
      }
      return positions;
    }

    @Override
    public int freq() throws IOException {
      return here().length;
    }

    @Override
    public int nextPosition() throws IOException {
      int[] all = here();
      return all[next++];
    }

    @Override
    public int startOffset() {
      return -1;
    }

    @Override
    public int endOffset() {
      return -1;
    }

    @Override
    public @Nullable BytesRef getPayload() {
      return null;
    }
  }
}
