package io.millrace.access.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a user or a key that has it may do.
 *
 * @param superuser whether there is nothing that it may not do
 */
public record Role(boolean superuser, List<ClusterPrivilege> cluster, List<Grant> indices) {
  private static final int MOST_PATTERNS = 1_000;

  /** Privileges on every index, alias or data stream that one of the patterns matches. */
  public record Grant(List<String> names, List<IndexPrivilege> privileges) {
    int bits() {
      return privileges.stream().mapToInt(IndexPrivilege::bits).reduce(0, (a, b) -> a | b);
    }
  }

  /**
   * A role as a request gives it.
   *
   * @throws IllegalArgumentException naming field, value and remedy
   */
  public static Role parse(String name, Map<String, Object> body) {
    String what = "role [" + name + "]";
    StrictObject fields = new StrictObject(what, body, Set.of("cluster", "indices"));
    List<Grant> grants = new ArrayList<>();
    int patterns = 0;
    for (Map<String, Object> each : fields.objects("indices")) {
      StrictObject grant =
          new StrictObject(what + " [indices]", each, Set.of("names", "privileges"));
      List<String> names = grant.strings("names");
      patterns += names.size();
      if (names.isEmpty() || names.stream().anyMatch(pattern -> wrongPattern(pattern))) {
        throw new IllegalArgumentException(
            what
                + ": [indices.names] is "
                + names
                + "; give patterns such as [logs-*], in lower case, without commas and spaces, not"
                + " beginning with [-]");
      }
      List<IndexPrivilege> privileges =
          grant.strings("privileges").stream().map(text -> IndexPrivilege.of(what, text)).toList();
      if (privileges.isEmpty()) {
        throw new IllegalArgumentException(
            what + ": [indices.privileges] is missing; give for example [\"read\"]");
      }
      grants.add(new Grant(names, privileges));
    }
    if (patterns > MOST_PATTERNS) {
      throw new IllegalArgumentException(
          what
              + ": [indices.names] has ["
              + patterns
              + "] patterns; give at most "
              + MOST_PATTERNS);
    }
    return new Role(
        false,
        fields.strings("cluster").stream().map(text -> ClusterPrivilege.of(what, text)).toList(),
        List.copyOf(grants));
  }

  private static boolean wrongPattern(String pattern) {
    return pattern.isEmpty()
        || pattern.length() > 255
        || pattern.startsWith("-")
        || pattern.chars().anyMatch(c -> c <= ' ' || c == ',' || Character.isUpperCase(c));
  }

  /** As a request gives it and as it is kept. */
  public Map<String, Object> map() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("cluster", cluster.stream().map(ClusterPrivilege::text).toList());
    map.put(
        "indices",
        indices.stream()
            .map(grant ->
                Map.<String, Object>of(
                    "names",
                    grant.names(),
                    "privileges",
                    grant.privileges().stream().map(IndexPrivilege::text).toList()))
            .toList());
    return map;
  }
}
