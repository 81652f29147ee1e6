package io.millrace.write.logtext;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.IntConsumer;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.ConstantScoreScorerSupplier;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The documents of some templates and of some tokens of one segment. The first few tokens are
 * remembered, so that nothing is read before documents are wanted; where there are more, the walk
 * over them stops and goes on when documents are wanted, each token's postings going straight into
 * a set of documents. A wildcard over ids may match millions of tokens; Lucene's own
 * CONSTANT_SCORE_BLENDED_REWRITE, which stock uses for such queries, has the same bound.
 *
 * <p>The longest postings are read as far as documents are asked for ({@link UnionIterator}); what
 * is short goes into the set.
 */
final class PostingsUnion {
  /** Tokens that are remembered, and postings that are open at once, at most. */
  static final int REMEMBERED = 16;

  /** Goes over tokens of one segment. */
  @FunctionalInterface
  interface Walk {
    /** The enumeration that stands at the next token; null after the last one. */
    @Nullable TermsEnum next() throws IOException;
  }

  private record Token(BytesRef name, TermState state, int documents) {}

  private final TermsEnum own;
  private final Walk walk;
  private final TemplateDictionary dictionary;
  private final int[] templates;
  private final List<Token> tokens = new ArrayList<>(4);
  private final @Nullable TermsEnum stopped;
  private final long documents;
  private final long cost;

  private PostingsUnion(Terms terms, TemplateDictionary dictionary, int[] templates, Walk walk)
      throws IOException {
    this.own = terms.iterator();
    this.walk = walk;
    this.dictionary = dictionary;
    this.templates = templates;
    long sum = 0;
    for (int template : templates) {
      sum += dictionary.frequencies[template];
    }
    TermsEnum at = walk.next();
    while (at != null && tokens.size() < REMEMBERED) {
      tokens.add(new Token(BytesRef.deepCopyOf(at.term()), at.termState(), at.docFreq()));
      sum += at.docFreq();
      at = walk.next();
    }
    this.stopped = at;
    this.documents = sum;
    this.cost = at == null ? Math.min(sum, terms.getDocCount()) : terms.getDocCount();
  }

  /**
   * Null where there is neither a template nor a token.
   *
   * @param templates places in the dictionary, each once
   * @param walk over tokens, and over nothing else
   */
  static @Nullable PostingsUnion of(
      Terms terms, TemplateDictionary dictionary, int[] templates, Walk walk) throws IOException {
    PostingsUnion union = new PostingsUnion(terms, dictionary, templates, walk);
    return union.tokens.isEmpty() && templates.length == 0 ? null : union;
  }

  /** Goes over the named term, where the segment has it. */
  static Walk over(Terms terms, @Nullable BytesRef name) throws IOException {
    TermsEnum at = terms.iterator();
    BytesRef[] rest = {name};
    return () -> {
      BytesRef wanted = rest[0];
      rest[0] = null;
      return wanted != null && at.seekExact(wanted) ? at : null;
    };
  }

  /**
   * Matches the union, every document with the same score. The cost is exact where the tokens are
   * few and none stands in a document twice, and never more than the documents that have the field.
   */
  ScorerSupplier supplier(LeafReader reader, float score, ScoreMode mode) {
    int maxDoc = reader.maxDoc();
    return new ConstantScoreScorerSupplier(score, mode, maxDoc) {
      @Override
      public DocIdSetIterator iterator(long leadCost) throws IOException {
        return UnionIterator.of(documents(maxDoc), leadCost);
      }

      @Override
      public long cost() {
        return cost;
      }
    };
  }

  /**
   * The number of documents of the templates and of one token that they hold, or of the mark; -1
   * where only reading them could tell, since a later value of a document may hold the token too.
   */
  int countOfOne() {
    boolean exact = tokens.isEmpty() || templates.length == 0 || dictionary.disjoint();
    return exact && stopped == null && tokens.size() < 2 ? Math.toIntExact(documents) : -1;
  }

  /** To be called once, as a supplier's scorer is got once: the walk does not start again. */
  private List<DocIdSetIterator> documents(int maxDoc) throws IOException {
    if (templates.length == 0 && tokens.size() == 1 && stopped == null) {
      return List.of(postings(tokens.get(0), null));
    }
    int shortest = shortestOpen();
    List<DocIdSetIterator> parts = new ArrayList<>();
    DocumentSet set = new DocumentSet(maxDoc, stopped == null ? documents : Long.MAX_VALUE);
    for (int template : templates) {
      if (dictionary.documents.held(template)) {
        set.add(dictionary, template);
      } else if (dictionary.frequencies[template] >= shortest && parts.size() < REMEMBERED) {
        parts.add(postings(template, null));
      } else {
        set.add(postings(template, set.reuse()));
      }
    }
    for (Token token : tokens) {
      if (token.documents >= shortest && parts.size() < REMEMBERED) {
        parts.add(postings(token, null));
      } else {
        set.add(postings(token, set.reuse()));
      }
    }
    for (TermsEnum at = stopped; at != null; at = walk.next()) {
      set.add(at.postings(set.reuse(), PostingsEnum.NONE));
    }
    DocIdSetIterator rest = set.iterator();
    if (rest != null) {
      parts.add(rest);
    }
    return parts;
  }

  /** How long postings must be to stay open, so that few do. */
  private int shortestOpen() {
    PriorityQueue<Integer> longest = new PriorityQueue<>();
    IntConsumer take =
        length -> {
          if (length > TemplateDocuments.HELD) {
            longest.add(length);
            if (longest.size() > REMEMBERED) {
              longest.remove();
            }
          }
        };
    for (int template : templates) {
      take.accept(dictionary.frequencies[template]);
    }
    for (Token token : tokens) {
      take.accept(token.documents);
    }
    Integer least = longest.peek();
    return least == null ? Integer.MAX_VALUE : least;
  }

  private PostingsEnum postings(Token token, @Nullable PostingsEnum reuse) throws IOException {
    own.seekExact(token.name, token.state);
    return own.postings(reuse, PostingsEnum.NONE);
  }

  private PostingsEnum postings(int template, @Nullable PostingsEnum reuse) throws IOException {
    return dictionary.documents.postings(template, dictionary.templates[template], own, reuse);
  }
}
