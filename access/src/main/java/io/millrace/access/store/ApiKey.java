package io.millrace.access.store;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A key of a user's: it may do what its roles allow, as far as its owner may.
 *
 * @param digest SHA-256 of the secret in hexadecimal: the secret is 256 random bits, so that a slow
 *     hash would add nothing
 * @param owner the user, or the operator, who made it
 * @param roles empty for all of the owner's
 * @param created milliseconds since 1970
 * @param expires milliseconds since 1970; 0 for never
 */
public record ApiKey(
    String name, String digest, String owner, List<String> roles, long created, long expires) {

  static ApiKey read(String id, Map<String, Object> kept) {
    StrictObject fields =
        new StrictObject(
            "key [" + id + "]",
            kept,
            Set.of("name", "digest", "owner", "roles", "created", "expires"));
    return new ApiKey(
        Objects.requireNonNull(fields.string("name")),
        Objects.requireNonNull(fields.string("digest")),
        Objects.requireNonNull(fields.string("owner")),
        fields.strings("roles"),
        fields.number("created", 0),
        fields.number("expires", 0));
  }

  Map<String, Object> map() {
    Map<String, Object> map = new LinkedHashMap<>(shown());
    map.put("digest", digest);
    return map;
  }

  /** What answers show. */
  public Map<String, Object> shown() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", name);
    map.put("owner", owner);
    map.put("roles", roles);
    map.put("created", created);
    map.put("expires", expires);
    return map;
  }

  /** Whether it is over. */
  public boolean expired(long now) {
    return expires != 0 && now >= expires;
  }

  /** What logs may show. */
  @Override
  public String toString() {
    return "ApiKey[" + name + " of " + owner + "]";
  }
}
