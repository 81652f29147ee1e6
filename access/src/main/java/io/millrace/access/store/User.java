package io.millrace.access.store;

import io.millrace.credential.PasswordHash;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Somebody with a password.
 *
 * @param hash the text of a {@link PasswordHash}
 */
public record User(String hash, List<String> roles) {
  static final String HASH = "hash";

  static User read(String name, Map<String, Object> kept) {
    StrictObject fields = new StrictObject("user [" + name + "]", kept, Set.of(HASH, "roles"));
    return new User(Objects.requireNonNull(fields.string(HASH)), fields.strings("roles"));
  }

  Map<String, Object> map() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(HASH, hash);
    map.put("roles", roles);
    return map;
  }

  /** What answers and logs may show. */
  @Override
  public String toString() {
    return "User" + roles;
  }
}
