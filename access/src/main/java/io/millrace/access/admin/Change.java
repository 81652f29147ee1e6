package io.millrace.access.admin;

import io.millrace.access.store.AccessMetadata;
import io.millrace.access.store.ApiKey;
import io.millrace.access.store.BuiltInRoles;
import io.millrace.access.store.Role;
import io.millrace.access.store.User;
import io.millrace.credential.Operators;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * One user, role or key that is put or deleted.
 *
 * @param body what is put, null for a deletion. A user: {@code hash} and {@code roles}, of which a
 *     known user needs one. A role and a key: all of it.
 */
record Change(Kind kind, String name, @Nullable Map<String, Object> body) implements Writeable {

  enum Kind {
    USER,
    ROLE,
    KEY
  }

  Change(StreamInput in) throws IOException {
    this(in.readEnum(Kind.class), in.readString(), in.readBoolean() ? in.readMap() : null);
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    out.writeEnum(kind);
    out.writeString(name);
    out.writeBoolean(body != null);
    if (body != null) {
      out.writeMap(body);
    }
  }

  /** How the audit log and errors name it. */
  String text() {
    return kind.name().toLowerCase(Locale.ROOT) + " [" + name + "]";
  }

  /**
   * The metadata after it.
   *
   * @throws IllegalArgumentException naming what is wrong
   * @throws ResourceNotFoundException for a deletion of what is not there
   */
  AccessMetadata apply(AccessMetadata before) {
    if (!Operators.NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "[name] is ["
              + name
              + "]; use 1 to 64 letters, digits and . _ @ -, beginning with a letter"
              + " or digit");
    }
    return switch (kind) {
      case USER ->
          new AccessMetadata(
              changed(before.users(), user(before)),
              before.roles(),
              body == null ? without(before.keys()) : before.keys(),
              before.signing());
      case ROLE -> {
        if (BuiltInRoles.all().containsKey(name)) {
          throw new IllegalArgumentException(
              "role [" + name + "] is built in and cannot be changed; put one of another name");
        }
        yield new AccessMetadata(
            before.users(),
            changed(before.roles(), body == null ? null : Role.parse(name, body)),
            before.keys(),
            before.signing());
      }
      case KEY ->
          new AccessMetadata(
              before.users(),
              before.roles(),
              changed(before.keys(), body == null ? null : key(before)),
              before.signing());
    };
  }

  private <T> Map<String, T> changed(Map<String, T> all, @Nullable T one) {
    Map<String, T> changed = new HashMap<>(all);
    if (one != null) {
      changed.put(name, one);
    } else if (changed.remove(name) == null) {
      throw new ResourceNotFoundException(text() + " does not exist");
    }
    if (changed.size() > AccessMetadata.MOST) {
      throw new IllegalArgumentException(
          text() + " would be one more than " + AccessMetadata.MOST + "; delete some first");
    }
    return changed;
  }

  /** The keys of a user who goes, go too. */
  private Map<String, ApiKey> without(Map<String, ApiKey> keys) {
    Map<String, ApiKey> left = new HashMap<>(keys);
    left.values().removeIf(key -> key.owner().equals("u:" + name));
    return left;
  }

  private @Nullable User user(AccessMetadata before) {
    if (body == null) {
      return null;
    }
    User known = before.users().get(name);
    Object hash = body.get("hash");
    Object roles = body.get("roles");
    if (known == null && hash == null) {
      throw new IllegalArgumentException(text() + " is new: give it a [password]");
    }
    return new User(
        hash != null ? string("hash", hash) : known == null ? "" : known.hash(),
        roles != null ? roles(before, roles) : known == null ? List.of() : known.roles());
  }

  private ApiKey key(AccessMetadata before) {
    Map<String, Object> key = body == null ? Map.of() : body;
    return new ApiKey(
        string("name", key.get("name")),
        string("digest", key.get("digest")),
        string("owner", key.get("owner")),
        key.get("roles") == null ? List.of() : roles(before, key.get("roles")),
        millis("created", key.get("created")),
        millis("expires", key.get("expires")));
  }

  private String string(String field, @Nullable Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException(text() + ": [" + field + "] is no string");
  }

  private long millis(String field, @Nullable Object value) {
    if (value == null || value instanceof Long || value instanceof Integer) {
      return value == null ? 0 : ((Number) value).longValue();
    }
    throw new IllegalArgumentException(text() + ": [" + field + "] is no time in milliseconds");
  }

  private List<String> roles(AccessMetadata before, Object given) {
    if (!(given instanceof List<?> list) || !list.stream().allMatch(String.class::isInstance)) {
      throw new IllegalArgumentException(
          text() + ": [roles] is no list of strings; give [\"NAME\"]");
    }
    List<String> names = list.stream().map(String.class::cast).distinct().toList();
    for (String role : names) {
      if (!BuiltInRoles.all().containsKey(role) && !before.roles().containsKey(role)) {
        throw new IllegalArgumentException(
            text()
                + ": [roles] has ["
                + role
                + "], which does not exist; put it first, or give some"
                + " of "
                + BuiltInRoles.all().keySet());
      }
    }
    return names;
  }
}
