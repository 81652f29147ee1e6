package io.millrace.access.store;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The roles that every cluster has; they cannot be changed. */
public final class BuiltInRoles {
  /** May do everything, also what no other role can allow: users, roles, keys, system indices. */
  public static final String SUPERUSER = "superuser";

  private static final List<String> EVERY = List.of("*");

  private static final Map<String, Role> ROLES =
      new TreeMap<>(
          Map.of(
              SUPERUSER,
              new Role(true, List.of(), List.of()),
              "manage",
              new Role(
                  false,
                  List.of(ClusterPrivilege.MANAGE, ClusterPrivilege.SNAPSHOT),
                  grant(EVERY, IndexPrivilege.ALL)),
              "monitor",
              new Role(
                  false, List.of(ClusterPrivilege.MONITOR), grant(EVERY, IndexPrivilege.MONITOR)),
              "ingest-only",
              new Role(
                  false,
                  List.of(),
                  grant(List.of("logs-*", "traces-*", "metrics-*"), IndexPrivilege.APPEND)),
              "read-only",
              new Role(false, List.of(), grant(EVERY, IndexPrivilege.READ)),
              "dashboard",
              new Role(
                  false, List.of(ClusterPrivilege.MONITOR), grant(EVERY, IndexPrivilege.READ))));

  private BuiltInRoles() {}

  /** By name. */
  public static Map<String, Role> all() {
    return ROLES;
  }

  private static List<Role.Grant> grant(List<String> names, IndexPrivilege privilege) {
    return List.of(new Role.Grant(names, List.of(privilege)));
  }
}
