package io.millrace.access.store;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.opensearch.Version;
import org.opensearch.cluster.AbstractNamedDiffable;
import org.opensearch.cluster.NamedDiff;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;

/**
 * Users, roles and keys in the cluster state.
 *
 * <p>Its only context is the gateway: it is written to the disks of the nodes that can be cluster
 * manager, and neither an answer of {@code _cluster/state} nor a snapshot shows it. It is there
 * without any shard, so that a red cluster lets its operators in. Every change sends the whole to
 * every node, which is why there is a limit.
 */
public final class AccessMetadata extends AbstractNamedDiffable<Metadata.Custom>
    implements Metadata.Custom {
  /** Its name in the cluster state. */
  public static final String TYPE = "millrace_access";

  /** Users, roles or keys that there may be of each. */
  public static final int MOST = 10_000;

  private final Map<String, User> users;
  private final Map<String, Role> roles;
  private final Map<String, ApiKey> keys;
  private final String signing;

  /**
   * Copies what it is given.
   *
   * @param signing the key that ids of scrolls and points in time are signed with, base64
   */
  public AccessMetadata(
      Map<String, User> users, Map<String, Role> roles, Map<String, ApiKey> keys, String signing) {
    this.users = Map.copyOf(users);
    this.roles = Map.copyOf(roles);
    this.keys = Map.copyOf(keys);
    this.signing = signing;
  }

  /** By name. */
  public Map<String, User> users() {
    return users;
  }

  /** By name, without those that are built in. */
  public Map<String, Role> roles() {
    return roles;
  }

  /** By id. */
  public Map<String, ApiKey> keys() {
    return keys;
  }

  /** The key that ids of scrolls and points in time are signed with, 256 bits in base64. */
  public String signing() {
    return signing;
  }

  /** Nobody, with a new key for ids. */
  public static AccessMetadata fresh() {
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    return new AccessMetadata(
        Map.of(), Map.of(), Map.of(), Base64.getEncoder().encodeToString(random));
  }

  /** As another node sent it. */
  public AccessMetadata(StreamInput in) throws IOException {
    this(in.readMap());
  }

  private AccessMetadata(Map<String, Object> kept) {
    this(
        read(kept, "users", User::read),
        read(kept, "roles", Role::parse),
        read(kept, "keys", ApiKey::read),
        (String) Objects.requireNonNull(kept.get("signing"), "signing"));
  }

  @SuppressWarnings("unchecked") // as map() made it
  private static <T> Map<String, T> read(
      Map<String, Object> kept, String part, BiFunction<String, Map<String, Object>, T> reader) {
    Map<String, T> all = new HashMap<>();
    ((Map<String, Object>) kept.getOrDefault(part, Map.of()))
        .forEach((name, each) -> all.put(name, reader.apply(name, (Map<String, Object>) each)));
    return all;
  }

  private Map<String, Object> map() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("users", map(users, User::map));
    map.put("roles", map(roles, Role::map));
    map.put("keys", map(keys, ApiKey::map));
    map.put("signing", signing);
    return map;
  }

  private static <T> Map<String, Object> map(
      Map<String, T> all, Function<T, Map<String, Object>> one) {
    Map<String, Object> map = new TreeMap<>();
    all.forEach((name, each) -> map.put(name, one.apply(each)));
    return map;
  }

  /** From the disk of a node. */
  public static AccessMetadata fromXContent(XContentParser parser) throws IOException {
    return new AccessMetadata(parser.map());
  }

  /** How a change travels: as the whole. */
  public static NamedDiff<Metadata.Custom> readDiffFrom(StreamInput in) throws IOException {
    return readDiffFrom(Metadata.Custom.class, TYPE, in);
  }

  @Override
  public EnumSet<Metadata.XContentContext> context() {
    return EnumSet.of(Metadata.XContentContext.GATEWAY);
  }

  @Override
  public String getWriteableName() {
    return TYPE;
  }

  @Override
  public Version getMinimalSupportedVersion() {
    return Version.V_3_0_0;
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    out.writeMap(map());
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    for (Map.Entry<String, Object> part : map().entrySet()) {
      builder.field(part.getKey(), part.getValue());
    }
    return builder;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AccessMetadata that && map().equals(that.map());
  }

  @Override
  public int hashCode() {
    return Objects.hash(users, roles, keys);
  }

  /** No hash, digest or key. */
  @Override
  public String toString() {
    return "AccessMetadata["
        + users.size()
        + " users, "
        + roles.size()
        + " roles, "
        + keys.size()
        + " keys]";
  }
}
