package io.millrace.access.admin;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.fail;

import io.millrace.access.login.Authenticator;
import io.millrace.access.login.Outcome;
import io.millrace.access.store.AccessMetadata;
import io.millrace.access.store.AccessStore;
import io.millrace.access.store.Role;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.opensearch.ResourceNotFoundException;

/**
 * Random headers, and random bodies of users, roles and keys: known errors in words, never a broken
 * store. {@code -Dmillrace.fuzz.access=1000000} for a long run, {@code -Dmillrace.fuzz.seed=N} for
 * another sequence.
 */
class AccessBodiesFuzz {
  private static final int ROUNDS = Integer.getInteger("millrace.fuzz.access", 20_000);
  private static final long SEED = Long.getLong("millrace.fuzz.seed", 20261122L);
  private static final List<String> WORDS =
      List.of(
          "cluster",
          "indices",
          "names",
          "privileges",
          "read",
          "all",
          "monitor",
          "manage",
          "superuser",
          "*",
          "logs-*",
          "-x",
          ".tasks",
          "",
          " ",
          "a,b",
          "UPPER",
          "hash",
          "roles",
          "password",
          "name",
          "digest",
          "owner",
          "u:anna",
          "o:root",
          "k:k1",
          "x",
          "created",
          "expires",
          "anna",
          "pbkdf2-sha512$1000$AAAA$AAAA",
          "\u0000",
          "\ud800");

  private final Random random = new Random(SEED);

  private Object value(int depth) {
    return switch (random.nextInt(depth > 3 ? 6 : 9)) {
      case 0 -> random.nextInt(5) - 2;
      case 1 -> random.nextBoolean();
      case 2 -> random.nextDouble() * 1e300;
      case 3 -> Long.MAX_VALUE - random.nextInt(3);
      case 4, 5 -> WORDS.get(random.nextInt(WORDS.size()));
      case 6 -> {
        List<Object> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          list.add(value(depth + 1));
        }
        yield list;
      }
      case 7 -> map(depth + 1);
      default -> List.of(map(depth + 1));
    };
  }

  private Map<String, Object> map(int depth) {
    Map<String, Object> map = new HashMap<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      map.put(
          WORDS.get(random.nextInt(WORDS.size())), random.nextInt(12) == 0 ? null : value(depth));
    }
    return map;
  }

  private void expected(RuntimeException e, Object input) {
    if (!(e instanceof IllegalArgumentException || e instanceof ResourceNotFoundException)
        || e instanceof NumberFormatException) {
      fail("seed " + SEED + ", input " + input, e);
    }
    assertNotNull(e.getMessage());
  }

  @Test
  void bodies() {
    AccessMetadata now = AccessMetadata.fresh();
    AccessStore store = new AccessStore(() -> 0);
    for (int i = 0; i < ROUNDS; i++) {
      Map<String, Object> body = map(0);
      try {
        Role.parse("fuzz", body);
      } catch (RuntimeException e) {
        expected(e, body);
      }
      Change change =
          new Change(
              Change.Kind.values()[random.nextInt(3)],
              WORDS.get(random.nextInt(WORDS.size())),
              random.nextInt(4) == 0 ? null : body);
      try {
        now = change.apply(now);
        store.metadata(now);
      } catch (RuntimeException e) {
        expected(e, change);
      }
    }
  }

  @Test
  void headers() {
    AccessStore store = new AccessStore(() -> 0);
    Authenticator authenticator = new Authenticator(store, Runnable::run, System::nanoTime);
    for (int i = 0; i < ROUNDS; i++) {
      StringBuilder header =
          new StringBuilder(
              List.of("Basic ", "ApiKey ", "basic", "APIKEY\t", "", "Refused ", "Bearer ")
                  .get(random.nextInt(7)));
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      // no colon: what looks like a password would cost a slow hash
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] = bytes[at] == ':' ? 0 : bytes[at];
      }
      switch (random.nextInt(3)) {
        case 0 -> header.append(Base64.getEncoder().encodeToString(bytes));
        case 1 -> header.append(new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1));
        default -> header.append("=".repeat(random.nextInt(9)));
      }
      List<Outcome> told = new ArrayList<>();
      authenticator.recognize(header.toString(), "10.0.0.1", told::add);
      if (told.size() != 1 || told.getFirst() instanceof Outcome.Known) {
        fail("seed " + SEED + ": [" + header + "] -> " + told);
      }
      Outcome refused = Outcome.refused(header.toString());
      if (refused instanceof Outcome.Known) {
        fail("seed " + SEED + ": [" + header + "]");
      }
    }
  }
}
