package io.millrace.write.logtext;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.AutomatonQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.ByteRunAutomaton;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.apache.lucene.util.automaton.Transition;
import org.jspecify.annotations.Nullable;

/**
 * A query for tokens that begin with anything and hold some bytes, as {@code *part*} does. Lucene
 * looks at every token of a segment for it. Here the first such query of a segment does, and makes
 * a {@link TermDigest} as it goes; those after it look at the blocks of tokens that may hold the
 * bytes.
 *
 * <p>Immutable.
 */
final class PartOfToken {
  /** Of the bytes that a token may begin with; below, Lucene skips most tokens by itself. */
  private static final int MANY_FIRST_BYTES = 64;

  /** Of fewer tokens a digest is not worth its making. */
  private static final int LEAST_TOKENS = 4 * TermDigest.BLOCK;

  private final ByteRunAutomaton accepts;
  private final int[] groups;

  private PartOfToken(ByteRunAutomaton accepts, int[] groups) {
    this.accepts = accepts;
    this.groups = groups;
  }

  /** Null for a query of another kind. */
  static @Nullable PartOfToken of(MultiTermQuery query) {
    if (!(query instanceof AutomatonQuery automaton)) {
      return null;
    }
    CompiledAutomaton compiled = automaton.getCompiled();
    ByteRunAutomaton accepts = compiled.runAutomaton;
    if (accepts == null || firstBytes(compiled.automaton) < MANY_FIRST_BYTES) {
      return null;
    }
    List<byte[]> runs = RequiredBytes.of(compiled);
    int[] groups = TermDigest.groups(runs);
    return groups.length == 0 ? null : new PartOfToken(accepts, groups);
  }

  private static int firstBytes(Automaton automaton) {
    Transition at = new Transition();
    int bytes = 0;
    int count = automaton.initTransition(0, at);
    for (int i = 0; i < count; i++) {
      automaton.getNextTransition(at);
      bytes += at.max - at.min + 1;
    }
    return bytes;
  }

  /** Whether a digest of a segment's terms is worth its making. */
  static boolean isWorthIt(Terms terms) throws IOException {
    return terms.size() >= LEAST_TOKENS;
  }

  boolean accepts(BytesRef token) {
    return accepts.run(token.bytes, token.offset, token.length);
  }

  /**
   * Goes over the tokens that match, past the blocks that hold none.
   *
   * @param onwards is told of each token that is looked at
   */
  PostingsUnion.Walk walk(Terms terms, TermDigest digest, Onwards onwards) throws IOException {
    TermsEnum at = terms.iterator();
    return new PostingsUnion.Walk() {
      private int block = -1;
      private int left; // tokens of the block that were not looked at

      @Override
      public @Nullable TermsEnum next() throws IOException {
        while (true) {
          BytesRef token = left > 0 ? at.next() : nextBlock();
          if (token == null) {
            left = 0;
            block = digest.blocks();
            return null;
          }
          left--;
          onwards.looked();
          if (accepts(token)) {
            return at;
          }
        }
      }

      /** The first token of the next block that may hold one; null after the last. */
      private @Nullable BytesRef nextBlock() throws IOException {
        int before = block;
        do {
          block++;
        } while (block < digest.blocks() && !digest.mayHold(block, groups));
        if (block >= digest.blocks()) {
          return null;
        }
        left = TermDigest.BLOCK;
        if (block == before + 1 && before >= 0) {
          return at.next();
        }
        return at.seekCeil(digest.name(block)) == TermsEnum.SeekStatus.END ? null : at.term();
      }
    };
  }

  /**
   * Goes over the tokens that match by looking at all.
   *
   * @param onwards is told of each token that is looked at
   * @param made gets the digest at the end, if the walk comes to it
   */
  PostingsUnion.Walk walk(Terms terms, Onwards onwards, Consumer<TermDigest> made)
      throws IOException {
    TermsEnum at = terms.iterator();
    TermDigest.Builder digest = new TermDigest.Builder();
    return new PostingsUnion.Walk() {
      private boolean begun;
      private boolean ended;

      @Override
      public @Nullable TermsEnum next() throws IOException {
        while (!ended) {
          BytesRef token = begun ? at.next() : first();
          begun = true;
          if (token == null) {
            ended = true;
            TermDigest all = digest.build();
            if (all != null) {
              made.accept(all);
            }
            return null;
          }
          digest.add(token);
          onwards.looked();
          if (accepts(token)) {
            return at;
          }
        }
        return null;
      }

      private @Nullable BytesRef first() throws IOException {
        boolean none = at.seekCeil(Reserved.FIRST_TOKEN) == TermsEnum.SeekStatus.END;
        return none ? null : at.term();
      }
    };
  }

  /** Told of each token that a walk looks at, and may end the walk by an exception. */
  @FunctionalInterface
  interface Onwards {
    void looked() throws IOException;
  }
}
