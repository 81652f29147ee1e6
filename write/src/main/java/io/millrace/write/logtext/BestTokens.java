package io.millrace.write.logtext;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.apache.lucene.util.BytesRef;

/**
 * The best so many of the tokens offered: better boost first, then the smaller token, the order of
 * Lucene's TopTermsRewrite. Holds no more than that, since a fuzzy query over ids may match very
 * many. A token has the same boost wherever it is found.
 */
final class BestTokens {
  private record Token(BytesRef bytes, float boost) {}

  private static final Comparator<Token> BEST_FIRST =
      Comparator.comparingDouble((Token token) -> -token.boost).thenComparing(Token::bytes);

  private final int most;
  private final PriorityQueue<Token> worstFirst = new PriorityQueue<>(BEST_FIRST.reversed());
  private final Set<BytesRef> members = new HashSet<>();

  BestTokens(int most) {
    this.most = most;
  }

  /**
   * Keeps a copy of the token if it is among the best and not kept yet.
   *
   * @param token may be overwritten afterwards
   */
  void offer(BytesRef token, float boost) {
    Token worst = worstFirst.peek();
    boolean full = worstFirst.size() == most;
    if (full && (worst == null || BEST_FIRST.compare(new Token(token, boost), worst) >= 0)
        || members.contains(token)) {
      return;
    }
    if (full) {
      worstFirst.remove();
      members.remove(worst.bytes);
    }
    BytesRef copy = BytesRef.deepCopyOf(token);
    members.add(copy);
    worstFirst.add(new Token(copy, boost));
  }

  /** Tokens kept now. */
  int size() {
    return members.size();
  }

  /** The tokens kept, best first. */
  List<BytesRef> tokens() {
    return worstFirst.stream().sorted(BEST_FIRST).map(Token::bytes).toList();
  }
}
