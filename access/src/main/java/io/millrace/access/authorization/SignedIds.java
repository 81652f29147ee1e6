package io.millrace.access.authorization;

import io.millrace.access.identity.Identity;
import io.millrace.access.store.AccessStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchSecurityException;
import org.opensearch.action.search.SearchContextId;
import org.opensearch.action.search.SearchContextIdForNode;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.internal.AliasFilter;

/**
 * Ids of scrolls and points in time that only their own user can use.
 *
 * <p>Stock's ids hold numbers of contexts that can be counted up, and index names and filters that
 * can be written at will; a foreign context that is asked for wrongly is freed. So an id carries an
 * HMAC over its content and its user, and one without it never reaches a shard. A scroll's goes
 * before the id. A point's has to be inside, because stock takes the id apart before any filter: it
 * stands where the filters of aliases are kept by the UUIDs of indices, under a name that is no
 * UUID.
 */
final class SignedIds {
  private static final String SCROLL = "ms1.";
  private static final String POINT = "_millrace_signature";

  private final AccessStore store;
  private final Supplier<NamedWriteableRegistry> registry;

  SignedIds(AccessStore store, Supplier<NamedWriteableRegistry> registry) {
    this.store = store;
    this.registry = registry;
  }

  String signScroll(Identity owner, String id) {
    return SCROLL + mac("scroll", owner, id.getBytes(StandardCharsets.UTF_8)) + '.' + id;
  }

  /**
   * Stock's id again.
   *
   * @throws OpenSearchSecurityException when this user did not get the id
   */
  String openScroll(Identity owner, String signed) {
    if (signed.startsWith(SCROLL)) {
      int end = signed.indexOf('.', SCROLL.length());
      if (end > 0) {
        String id = signed.substring(end + 1);
        if (same(
            signed.substring(SCROLL.length(), end),
            mac("scroll", owner, id.getBytes(StandardCharsets.UTF_8)))) {
          return id;
        }
      }
    }
    throw notYours("scroll_id");
  }

  String signPoint(Identity owner, String id) {
    SearchContextId point = SearchContextId.decode(registry.get(), id);
    Map<String, AliasFilter> filters = new HashMap<>(point.aliasFilter());
    filters.put(POINT, new AliasFilter(null, mac("point", owner, content(point))));
    try (BytesStreamOutput out = new BytesStreamOutput();
        StreamInput old = StreamInput.wrap(Base64.getUrlDecoder().decode(id))) {
      var version = old.readVersion();
      out.setVersion(version);
      out.writeVersion(version);
      out.writeMap(point.shards(), (o, key) -> key.writeTo(o), (o, node) -> node.writeTo(o));
      out.writeMap(filters, (o, key) -> o.writeString(key), (o, filter) -> filter.writeTo(o));
      return Base64.getUrlEncoder().encodeToString(BytesReference.toBytes(out.bytes()));
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory", e);
    }
  }

  /**
   * @throws OpenSearchSecurityException when this user did not open the point
   */
  void checkPoint(Identity owner, String id) {
    SearchContextId point;
    try {
      point = SearchContextId.decode(registry.get(), id);
    } catch (RuntimeException e) {
      throw notYours("pit.id");
    }
    AliasFilter signature = point.aliasFilter().get(POINT);
    String[] mac = signature == null ? new String[0] : signature.getAliases();
    if (mac.length != 1 || !same(mac[0], mac("point", owner, content(point)))) {
      throw notYours("pit.id");
    }
  }

  /** What is signed: every entry by itself, sorted, because a map's order is nobody's. */
  private static byte[] content(SearchContextId point) {
    List<byte[]> parts = new ArrayList<>();
    point.shards().forEach((shard, node) -> parts.add(shard(shard, node)));
    point
        .aliasFilter()
        .forEach((index, filter) -> {
          if (!index.equals(POINT)) {
            parts.add(filter(index, filter));
          }
        });
    parts.sort(Arrays::compare);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes((part.length + ":").getBytes(StandardCharsets.US_ASCII));
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] shard(ShardId shard, SearchContextIdForNode node) {
    try (BytesStreamOutput out = new BytesStreamOutput()) {
      out.writeString("shard");
      shard.writeTo(out);
      node.writeTo(out);
      return BytesReference.toBytes(out.bytes());
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory", e);
    }
  }

  private static byte[] filter(String index, AliasFilter filter) {
    try (BytesStreamOutput out = new BytesStreamOutput()) {
      out.writeString("filter");
      out.writeString(index);
      filter.writeTo(out);
      return BytesReference.toBytes(out.bytes());
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory", e);
    }
  }

  private String mac(String kind, Identity owner, byte[] content) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(
          new SecretKeySpec(Base64.getDecoder().decode(store.metadata().signing()), "HmacSHA256"));
      mac.update((kind + '\0' + owner.text() + '\0').getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(content));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  private static boolean same(@Nullable String given, String wanted) {
    return given != null
        && MessageDigest.isEqual(
            given.getBytes(StandardCharsets.US_ASCII), wanted.getBytes(StandardCharsets.US_ASCII));
  }

  private static OpenSearchSecurityException notYours(String field) {
    return new OpenSearchSecurityException(
        "["
            + field
            + "] was not given to this user; use the id as the answer had it, with the same"
            + " credentials",
        RestStatus.FORBIDDEN);
  }
}
