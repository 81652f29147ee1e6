package io.millrace.plugin.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.access.authorization.Needs;
import io.millrace.plugin.Features;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.opensearch.action.ActionType;

/**
 * Every transport action that the server and the plugin declare is known to a rule, and those that
 * are not refused by their name alone are a list.
 */
class ActionNamesTest {
  /** Those of the distribution's modules, which are not on this class path, and a mere name. */
  private static final List<String> DECLARED_ELSEWHERE =
      List.of(
          "cluster:admin/ingest/processor/grok/get",
          "cluster:admin/reindex/rethrottle",
          "cluster:admin/scripts/painless/context",
          "cluster:admin/scripts/painless/execute",
          "indices:data/read/msearch/template",
          "indices:data/read/rank_eval",
          "indices:data/read/search/template",
          "indices:data/write/bulk[s]",
          "indices:data/write/delete/byquery",
          "indices:data/write/reindex",
          "indices:data/write/update/byquery");

  /** Looked into, part by part or by whose it is; every other action needs a privilege. */
  private static final Set<String> LOOKED_INTO =
      Set.of(
          "cluster:admin/millrace/access/own",
          "cluster:admin/tasks/cancel",
          "cluster:monitor/main",
          "cluster:monitor/task/get",
          "cluster:monitor/tasks/lists",
          "indices:data/read/mget",
          "indices:data/read/msearch",
          "indices:data/read/msearch/template",
          "indices:data/read/mtv",
          "indices:data/read/point_in_time/delete",
          "indices:data/read/rank_eval",
          "indices:data/read/scroll",
          "indices:data/read/scroll/clear",
          "indices:data/read/search/template",
          "indices:data/write/bulk",
          "indices:data/write/bulk[s]",
          "indices:data/write/delete",
          "indices:data/write/delete/byquery",
          "indices:data/write/index",
          "indices:data/write/reindex",
          "indices:data/write/update/byquery");

  private static Set<String> actions() throws Exception {
    Set<Class<?>> anchors = new LinkedHashSet<>();
    anchors.add(ActionType.class);
    Features.all().forEach(feature -> anchors.add(feature.getClass()));
    Set<Path> places = new LinkedHashSet<>();
    for (Class<?> anchor : anchors) {
      places.add(place(anchor));
    }
    Set<String> names = new TreeSet<>(DECLARED_ELSEWHERE);
    for (Path place : places) {
      for (String file : files(place)) {
        if (file.endsWith("Action.class") && file.matches("(org/opensearch|io/millrace)/.*")) {
          names(file.substring(0, file.length() - ".class".length()).replace('/', '.'), names);
        }
      }
    }
    return names;
  }

  private static Path place(Class<?> anchor) throws URISyntaxException {
    return Path.of(anchor.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static List<String> files(Path place) throws IOException {
    if (Files.isDirectory(place)) {
      try (Stream<Path> all = Files.walk(place)) {
        return all.map(file -> place.relativize(file).toString().replace('\\', '/')).toList();
      }
    }
    try (JarFile jar = new JarFile(place.toFile())) {
      List<String> all = new ArrayList<>();
      jar.stream().forEach(entry -> all.add(entry.getName()));
      return all;
    }
  }

  private static void names(String type, Set<String> names) throws IllegalAccessException {
    Class<?> loaded;
    try {
      loaded = Class.forName(type);
    } catch (ClassNotFoundException | LinkageError e) {
      return; // of a library that is not here
    }
    for (Field field : loaded.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers())
          && ActionType.class.isAssignableFrom(field.getType())) {
        field.setAccessible(true);
        names.add(((ActionType<?>) field.get(null)).name());
      }
    }
  }

  @Test
  void everyActionIsKnown() throws Exception {
    Needs needs = new Needs();
    Set<String> unknown = new TreeSet<>();
    Set<String> others = new TreeSet<>();
    Set<String> actions = actions();
    assertTrue(actions.size() > 150, actions.size() + " actions");
    for (String action : actions) {
      switch (needs.of(action).kind()) {
        case UNKNOWN -> unknown.add(action);
        case CLUSTER, SUPERUSER, INDICES -> {}
        default -> others.add(action);
      }
    }
    assertEquals(Set.of(), unknown);
    assertEquals(
        String.join("\n", new TreeSet<>(LOOKED_INTO)), String.join("\n", others), "not by name");
  }
}
