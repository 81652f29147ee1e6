package io.millrace.search.deadline;

import java.util.function.Supplier;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.util.automaton.ByteRunAutomaton;

/** Queries that look through the terms of a segment before they find a document. */
final class Patterns extends QueryVisitor {
  private boolean found;

  private Patterns() {}

  static boolean in(Query query) {
    Patterns patterns = new Patterns();
    query.visit(patterns);
    return patterns.found;
  }

  @Override
  public void consumeTermsMatching(Query leaf, String field, Supplier<ByteRunAutomaton> automaton) {
    found = true;
  }

  @Override
  public QueryVisitor getSubVisitor(BooleanClause.Occur occur, Query parent) {
    return this; // also of clauses that must not match
  }
}
