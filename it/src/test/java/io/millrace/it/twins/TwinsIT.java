package io.millrace.it.twins;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.it.support.SharedCluster;
import io.millrace.testkit.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * An index of the profile {@code logs} and a twin of stock's types on one node, with hostile
 * documents and requests of every kind: every answer is the twin's, errors word by word. Runs by
 * command.
 *
 * <table>
 * <tr><td>{@code millrace.twins.seed}</td><td>of the first series, 1</td></tr>
 * <tr><td>{@code millrace.twins.runs}</td><td>how many series; without it, none</td></tr>
 * <tr><td>{@code millrace.twins.searches}</td><td>searches of each part of a series, 60</td></tr>
 * </table>
 */
@EnabledIfSystemProperty(named = "millrace.twins.runs", matches = "\\d+")
class TwinsIT {
  @RegisterExtension static final SharedCluster CLUSTER = SharedCluster.of(Tree.MILLRACE, 1);

  private static final int SEARCHES = Integer.getInteger("millrace.twins.searches", 60);

  @Test
  void everyAnswerIsTheTwins() {
    long first = Long.getLong("millrace.twins.seed", 1);
    for (long seed = first; seed < first + Integer.getInteger("millrace.twins.runs"); seed++) {
      SharedCluster.wipe(CLUSTER.http());
      TwinRun run = new TwinRun(CLUSTER.http(), seed).create(1 + (int) (seed % 2), "");
      run.append(400).search(SEARCHES, true);
      run.write(SEARCHES / 2).search(SEARCHES, false);
      run.merge().search(SEARCHES, false);
      run.reopen().search(SEARCHES / 3, false);
      assertEquals(List.of(), run.differences, () -> String.join("\n", run.differences));
      System.out.println("seed " + seed + ": answers by status " + run.twins().statuses);
      assertTrue(run.twins().found > SEARCHES / 2, "found something: " + run.twins().found);
      assertTrue(run.twins().statuses.getOrDefault(400, 0) > 5, run.twins().statuses.toString());
    }
  }
}
