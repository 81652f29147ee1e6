package io.millrace.pipelines.retention;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.unit.ByteSizeValue;

/** What the rules ask for now: a function of the rules, the indices and the time. */
final class Plan {
  /** What is done to an index. */
  enum Action {
    DELETE,
    ROLLOVER
  }

  /**
   * One thing to do.
   *
   * @param target the index to delete, or the data stream that gets a new write index
   * @param uuid of the index
   * @param rule the line of the setting
   * @param reason which bound is crossed, with the figures
   * @param bytes that the index has
   */
  record Step(Action action, String target, String uuid, String rule, String reason, long bytes) {
    Map<String, Object> report() {
      Map<String, Object> out = new LinkedHashMap<>();
      out.put("action", action == Action.DELETE ? "delete" : "rollover");
      out.put("target", target);
      out.put("rule", rule);
      out.put("reason", reason);
      out.put("bytes", bytes);
      return out;
    }
  }

  private Plan() {}

  /**
   * The steps, the oldest index first. The first rule that matches an index is the one that counts.
   *
   * @param now milliseconds since the epoch
   */
  static List<Step> of(List<RetentionRule> rules, List<Candidate> candidates, long now) {
    List<Step> steps = new ArrayList<>();
    List<Candidate> left = new ArrayList<>(candidates);
    for (RetentionRule rule : rules) {
      List<Candidate> its = left.stream().filter(rule::matches).toList();
      left.removeAll(its);
      rollovers(rule, its, now, steps);
      deletions(rule, its, now, steps);
    }
    return steps;
  }

  private static void rollovers(
      RetentionRule rule, List<Candidate> its, long now, List<Step> steps) {
    for (Candidate each : its) {
      if (each.stream().isEmpty() || !each.writing() || each.documents() == 0) {
        continue;
      }
      long age = now - each.created();
      String reason =
          rule.rolloverAge() >= 0 && age >= rule.rolloverAge()
              ? "the write index is [" + time(age) + "] old"
              : rule.rolloverSize() >= 0 && each.bytes() >= rule.rolloverSize()
                  ? "the write index has [" + new ByteSizeValue(each.bytes()) + "]"
                  : "";
      if (!reason.isEmpty()) {
        steps.add(
            new Step(
                Action.ROLLOVER, each.stream(), each.uuid(), rule.text(), reason, each.bytes()));
      }
    }
  }

  private static void deletions(
      RetentionRule rule, List<Candidate> its, long now, List<Step> steps) {
    long total = total(its);
    for (Candidate each : oldestFirst(its, now)) {
      long age = now - each.end();
      String reason = "";
      if (rule.maxAge() >= 0 && age > rule.maxAge()) {
        reason = "its last document is at least [" + time(age) + "] old";
      } else if (rule.maxSize() >= 0 && total > rule.maxSize()) {
        reason =
            "the indices have [" + new ByteSizeValue(total) + "], and this is the oldest of them";
      }
      if (!reason.isEmpty()) {
        total -= each.bytes();
        steps.add(
            new Step(Action.DELETE, each.name(), each.uuid(), rule.text(), reason, each.bytes()));
      }
    }
  }

  private static long total(List<Candidate> its) {
    return its.stream().mapToLong(Candidate::bytes).sum();
  }

  /** Those that may go. */
  private static List<Candidate> oldestFirst(List<Candidate> its, long now) {
    return its.stream()
        .filter(each -> !each.writing() && !each.held() && each.end() >= 0 && each.end() <= now)
        .sorted(Comparator.comparingLong(Candidate::end).thenComparing(Candidate::name))
        .toList();
  }

  /**
   * What is deleted first once something has to be, while nothing has to be yet: the oldest index
   * that a rule may delete, with the bound that it comes closest to.
   *
   * @param now milliseconds since the epoch
   */
  static Optional<Step> first(List<RetentionRule> rules, List<Candidate> candidates, long now) {
    Optional<Step> first = Optional.empty();
    Set<Candidate> left = new LinkedHashSet<>(candidates);
    long soonest = Long.MAX_VALUE;
    for (RetentionRule rule : rules) {
      List<Candidate> its = left.stream().filter(rule::matches).toList();
      its.forEach(left::remove);
      List<Candidate> may = oldestFirst(its, now);
      if (may.isEmpty() || (rule.maxAge() < 0 && rule.maxSize() < 0)) {
        continue;
      }
      Candidate oldest = may.get(0);
      long in = rule.maxAge() < 0 ? Long.MAX_VALUE : oldest.end() + rule.maxAge() - now;
      String reason =
          rule.maxAge() >= 0
              ? "it is too old in [" + time(in) + "]"
              : "the indices may have ["
                  + new ByteSizeValue(rule.maxSize())
                  + "] and have ["
                  + new ByteSizeValue(total(its))
                  + "]";
      if (in < soonest || first.isEmpty()) {
        first =
            Optional.of(
                new Step(
                    Action.DELETE,
                    oldest.name(),
                    oldest.uuid(),
                    rule.text(),
                    reason,
                    oldest.bytes()));
        soonest = in;
      }
    }
    return first;
  }

  private static String time(long millis) {
    return TimeValue.timeValueMillis(millis).toHumanReadableString(1);
  }
}
