package io.millrace.access.authorization;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.access.identity.Identity;
import io.millrace.access.store.AccessMetadata;
import io.millrace.access.store.AccessStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opensearch.OpenSearchSecurityException;
import org.opensearch.Version;
import org.opensearch.action.search.SearchContextId;
import org.opensearch.action.search.SearchContextIdForNode;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.internal.ShardSearchContextId;

/** Ids of scrolls and points open for whoever got them, as they were given, and for nobody else. */
class SignedIdsTest {
  private static final int TRIES = 100_000;
  private static final Identity ANNA = new Identity(Identity.Kind.USER, "anna");
  private static final String ID = "FGluY2x1ZGVfY29udGV4dF91dWlkDXF1ZXJ5QW5kRmV0Y2gB";

  private final AccessStore store = new AccessStore(() -> 0);
  private final NamedWriteableRegistry registry = new NamedWriteableRegistry(List.of());
  private final SignedIds ids = new SignedIds(store, () -> registry);
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @BeforeEach
  void aCluster() {
    store.metadata(AccessMetadata.fresh());
  }

  private void refused(Runnable opening, String what) {
    OpenSearchSecurityException e =
        assertThrows(OpenSearchSecurityException.class, opening::run, what + ", seed " + seed);
    assertEquals(RestStatus.FORBIDDEN, e.status());
  }

  private String changed(String id) {
    StringBuilder text = new StringBuilder(id);
    int at = random.nextInt(text.length());
    switch (random.nextInt(3)) {
      case 0 -> text.setCharAt(at, other(text.charAt(at)));
      case 1 -> text.deleteCharAt(at);
      default -> text.insert(at, other('A'));
    }
    return text.toString();
  }

  private char other(char than) {
    char c;
    do {
      c =
          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."
              .charAt(random.nextInt(65));
    } while (c == than);
    return c;
  }

  @Test
  void aScrollOpensForItsUser() {
    String signed = ids.signScroll(ANNA, ID);
    assertEquals(ID, ids.openScroll(ANNA, signed));
    for (Identity other :
        List.of(
            new Identity(Identity.Kind.USER, "bert"),
            new Identity(Identity.Kind.OPERATOR, "anna"),
            new Identity(Identity.Kind.KEY, "anna"))) {
      refused(() -> ids.openScroll(other, signed), other.text());
    }
    refused(() -> ids.openScroll(ANNA, ID), "unsigned");
    refused(() -> ids.openScroll(ANNA, ""), "empty");
    refused(() -> ids.openScroll(ANNA, "_all"), "every scroll");
    store.metadata(AccessMetadata.fresh());
    refused(() -> ids.openScroll(ANNA, signed), "signed with another key");
  }

  @Test
  void aChangedOrGuessedScrollDoesNot() {
    String signed = ids.signScroll(ANNA, ID);
    for (int i = 0; i < TRIES; i++) {
      String forged;
      if (i % 2 == 0) {
        forged = changed(signed);
      } else {
        byte[] mac = new byte[32];
        random.nextBytes(mac);
        forged = "ms1." + Base64.getUrlEncoder().withoutPadding().encodeToString(mac) + '.' + ID;
      }
      if (!forged.equals(signed)) {
        refused(() -> ids.openScroll(ANNA, forged), forged);
      }
    }
  }

  private static String point(String node, long context) {
    Map<ShardId, SearchContextIdForNode> shards =
        Map.of(
            new ShardId("mine-1", "uuid-of-mine", 0),
            new SearchContextIdForNode(null, node, new ShardSearchContextId("session", context)));
    try (BytesStreamOutput out = new BytesStreamOutput()) {
      out.setVersion(Version.CURRENT);
      out.writeVersion(Version.CURRENT);
      out.writeMap(shards, (o, key) -> key.writeTo(o), (o, value) -> value.writeTo(o));
      out.writeMap(Map.of(), (o, key) -> {}, (o, value) -> {});
      return Base64.getUrlEncoder().encodeToString(BytesReference.toBytes(out.bytes()));
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aPointOpensForItsUser() {
    String signed = ids.signPoint(ANNA, point("n1", 7));
    ids.checkPoint(ANNA, signed);
    // stock still reads it
    assertEquals(1, SearchContextId.decode(registry, signed).shards().size());
    refused(() -> ids.checkPoint(new Identity(Identity.Kind.USER, "bert"), signed), "another");
    refused(() -> ids.checkPoint(ANNA, point("n1", 7)), "unsigned");
    refused(() -> ids.checkPoint(ANNA, ""), "empty");
    refused(() -> ids.checkPoint(ANNA, "_all"), "every point");
  }

  /** Whether stock reads the same contexts and filters: the version in front decides how. */
  private boolean same(String id, String as) {
    try {
      SearchContextId one = SearchContextId.decode(registry, id);
      SearchContextId other = SearchContextId.decode(registry, as);
      return one.shards().toString().equals(other.shards().toString())
          && one.shards().keySet().equals(other.shards().keySet())
          && one.aliasFilter().equals(other.aliasFilter());
    } catch (RuntimeException e) {
      return false;
    }
  }

  @Test
  void aChangedOrGuessedPointDoesNot() {
    String signed = ids.signPoint(ANNA, point("n1", 7));
    byte[] bytes = Base64.getUrlDecoder().decode(signed);
    for (int i = 0; i < TRIES; i++) {
      byte[] forged = bytes.clone();
      int at = random.nextInt(forged.length);
      forged[at] ^= (byte) (1 + random.nextInt(255));
      String text = Base64.getUrlEncoder().encodeToString(forged);
      if (!same(text, signed)) {
        refused(() -> ids.checkPoint(ANNA, text), text);
      }
    }
    for (int context = 0; context < 1_000; context++) {
      String guessed = point("n1", context);
      refused(() -> ids.checkPoint(ANNA, guessed), guessed);
    }
  }
}
