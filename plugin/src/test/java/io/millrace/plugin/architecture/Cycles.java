package io.millrace.plugin.architecture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Finds the cycles of a directed graph whose nodes are names. */
final class Cycles {
  private final Map<String, Set<String>> edges = new TreeMap<>();

  /** {@code from} needs {@code to}. */
  void edge(String from, String to) {
    edges.computeIfAbsent(from, name -> new TreeSet<>()).add(to);
  }

  /**
   * One shortest cycle through each node that lies on any, each cycle once, written {@code a -> b
   * -> a}.
   */
  List<String> all() {
    List<String> cycles = new ArrayList<>();
    Set<Set<String>> seen = new HashSet<>();
    for (String start : edges.keySet()) {
      List<String> cycle = shortest(start);
      if (!cycle.isEmpty() && seen.add(Set.copyOf(cycle))) {
        cycles.add(String.join(" -> ", cycle) + " -> " + start);
      }
    }
    return cycles;
  }

  /** The nodes of a shortest way from {@code start} back to it; empty where there is none. */
  private List<String> shortest(String start) {
    Map<String, String> cameFrom = new HashMap<>();
    Deque<String> next = new ArrayDeque<>(List.of(start));
    while (!next.isEmpty()) {
      String here = next.remove();
      for (String to : edges.getOrDefault(here, Set.of())) {
        if (to.equals(start)) {
          return way(cameFrom, start, here);
        }
        if (cameFrom.putIfAbsent(to, here) == null) {
          next.add(to);
        }
      }
    }
    return List.of();
  }

  private static List<String> way(Map<String, String> cameFrom, String start, String end) {
    List<String> way = new ArrayList<>();
    for (String node = end; !node.equals(start); node = cameFrom.get(node)) {
      way.addFirst(node);
    }
    way.addFirst(start);
    return way;
  }
}
