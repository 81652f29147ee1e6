package io.millrace.search.timepruning;

import java.io.IOException;
import org.apache.lucene.index.DocValuesSkipper;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.search.DocIdSetIterator;

/**
 * Asks the skip list of a segment how many documents lie in blocks that are partly in a range: only
 * their values would have to be looked at.
 *
 * @param field with doc values
 * @param lower the least value in the range, as the doc values encode it
 * @param upper the greatest value in the range
 */
record BlockBounds(String field, long lower, long upper) {
  /** Steps over the skip list after which its blocks count as telling nothing. */
  private static final int MOST_STEPS = 128;

  /**
   * Fewer documents are found as quickly by the points, and one block that is partly in the range
   * has too many values to look at: a narrow range is not worth a walk.
   */
  private static final int LEAST_DOCS = 16_384;

  /** Looking at a value costs about as much as putting that many documents into a bit set. */
  private static final int COST_OF_A_VALUE = 4;

  /**
   * Whether it pays to go by the blocks.
   *
   * @param inRange documents of the segment in the range, about
   */
  boolean tell(LeafReader reader, long inRange) throws IOException {
    if (inRange < LEAST_DOCS) {
      return false;
    }
    DocValuesSkipper skipper = reader.getDocValuesSkipper(field);
    if (skipper == null) {
      return false;
    }
    long most = inRange / COST_OF_A_VALUE;
    long unclear = 0;
    skipper.advance(0);
    for (int step = 0; skipper.minDocID(0) != DocIdSetIterator.NO_MORE_DOCS; step++) {
      if (step == MOST_STEPS || unclear > most) {
        return false;
      }
      int level = clearLevel(skipper);
      if (level < 0) {
        unclear += skipper.docCount(0);
        level = 0;
      }
      int last = skipper.maxDocID(level);
      if (last == DocIdSetIterator.NO_MORE_DOCS) {
        break;
      }
      skipper.advance(last + 1);
    }
    return unclear <= most;
  }

  /** The highest level whose block lies wholly in the range or outside of it; -1 for none. */
  private int clearLevel(DocValuesSkipper skipper) {
    for (int level = skipper.numLevels() - 1; level >= 0; level--) {
      long least = skipper.minValue(level);
      long greatest = skipper.maxValue(level);
      if (least > upper || greatest < lower || (least >= lower && greatest <= upper)) {
        return level;
      }
    }
    return -1;
  }
}
