package io.millrace.access.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.access.identity.Identity;
import io.millrace.access.store.AccessMetadata;
import io.millrace.access.store.AccessStore;
import io.millrace.access.store.ApiKey;
import io.millrace.access.store.User;
import io.millrace.credential.Operators;
import io.millrace.credential.PasswordHash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AuthenticatorTest {
  private static final String FROM = "10.0.0.9";

  private final AccessStore store = new AccessStore(() -> 1_000);
  private final ArrayDeque<Runnable> slow = new ArrayDeque<>();
  private boolean full;
  private long nanos;
  private final Authenticator authenticator = new Authenticator(store, this::later, () -> nanos);
  private final Map<String, User> users = new HashMap<>();
  private final Map<String, ApiKey> keys = new HashMap<>();

  private void later(Runnable task) {
    if (full) {
      throw new RejectedExecutionException();
    }
    slow.add(task);
  }

  @BeforeEach
  void people() {
    store.operators(Operators.parse(Operators.with("", "root", hash("a strong one"))));
    users.put("anna", new User(hash("correct horse").text(), List.of("read-only")));
    keep();
  }

  private static PasswordHash hash(String password) {
    return PasswordHash.of(password.toCharArray(), 1_000);
  }

  private void keep() {
    store.metadata(new AccessMetadata(users, Map.of(), keys, AccessMetadata.fresh().signing()));
  }

  private static String basic(String text) {
    return "Basic " + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private List<Outcome> ask(String header) {
    List<Outcome> told = new ArrayList<>();
    authenticator.recognize(header, FROM, told::add);
    return told;
  }

  private Outcome answer(String header) {
    List<Outcome> told = ask(header);
    while (!slow.isEmpty()) {
      slow.remove().run();
    }
    assertEquals(1, told.size());
    return told.getFirst();
  }

  private void known(String header, Identity.Kind kind, String name) {
    assertEquals(new Outcome.Known(new Identity(kind, name)), answer(header));
  }

  private void wrong(String header) {
    assertEquals(
        Outcome.Reason.WRONG, assertInstanceOf(Outcome.Unknown.class, answer(header)).reason());
  }

  @Test
  void aPasswordIsHashedOnceAndElsewhere() {
    List<Outcome> told = ask(basic("anna:correct horse"));
    assertEquals(List.of(), told, "not on this thread");
    slow.remove().run();
    assertEquals(1, told.size());
    assertEquals(1, ask(basic("anna:correct horse")).size(), "at once");
    assertEquals(1, authenticator.hashes());
  }

  @Test
  void equalCredentialsThatWaitAreHashedOnce() {
    List<Outcome> first = ask(basic("anna:correct horse"));
    List<Outcome> second = ask(basic("anna:correct horse"));
    assertEquals(1, slow.size());
    slow.remove().run();
    assertEquals(first, second);
    assertInstanceOf(Outcome.Known.class, first.getFirst());
  }

  @Test
  void aChangedPasswordCountsAtOnce() {
    known(basic("anna:correct horse"), Identity.Kind.USER, "anna");
    users.put("anna", new User(hash("another one").text(), List.of()));
    keep();
    wrong(basic("anna:correct horse"));
    known(basic("anna:another one"), Identity.Kind.USER, "anna");
    users.remove("anna");
    keep();
    wrong(basic("anna:another one"));
    // nobody's name costs the same hash
    long hashes = authenticator.hashes();
    wrong(basic("nobody:any password"));
    assertEquals(hashes + 1, authenticator.hashes());
  }

  @Test
  void aWrongPasswordOfBeforeIsRightOnceItIsSet() {
    wrong(basic("anna:the next one"));
    users.put("anna", new User(hash("the next one").text(), List.of()));
    keep();
    known(basic("anna:the next one"), Identity.Kind.USER, "anna");
  }

  private String key(String owner, long expires) {
    keys.put(
        "k1", new ApiKey("shipper", Authenticator.digest("s3cret"), owner, List.of(), 0, expires));
    keep();
    return "ApiKey "
        + Base64.getEncoder().encodeToString("k1:s3cret".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void keysWorkUntilTheyEnd() {
    String header = key("u:anna", 0);
    known(header, Identity.Kind.KEY, "k1");
    known(basic("k1:s3cret"), Identity.Kind.KEY, "k1");
    wrong(basic("k1:secret"));
    wrong(key("u:anna", 1_000));
    known(key("u:anna", 1_001), Identity.Kind.KEY, "k1");
    wrong(key("u:nobody", 0));
    assertEquals(0, authenticator.hashes());
  }

  @Test
  void anOperatorsKeyEndsWithTheOperator() {
    String header = key("o:root", 0);
    known(header, Identity.Kind.KEY, "k1");
    store.operators(Operators.none());
    wrong(header);
  }

  @Test
  void whoeverGuessesWaitsAndKnownClientsDoNot() {
    known(basic("anna:correct horse"), Identity.Kind.USER, "anna");
    int later = 0;
    for (int i = 0; i < 20; i++) {
      later += answer(basic("anna:guess " + i)) instanceof Outcome.Later ? 1 : 0;
      known(basic("anna:correct horse"), Identity.Kind.USER, "anna");
    }
    assertEquals(20 - Damping.FREE, later);
    assertTrue(authenticator.hashes() <= Damping.FREE + 1, "no hash while one waits");
    nanos += 2_000_000_000L;
    wrong(basic("anna:one more guess"));
    assertInstanceOf(Outcome.Later.class, answer(basic("anna:and one more")));
  }

  @Test
  void oneAddressDoesNotFillTheQueue() {
    List<Outcome> last = List.of();
    for (int i = 0; i <= Authenticator.MOST_WAITING; i++) {
      last = ask(basic("name" + i + ":password"));
    }
    assertInstanceOf(Outcome.Later.class, last.getFirst());
    assertEquals(Authenticator.MOST_WAITING, slow.size());
    List<Outcome> elsewhere = new ArrayList<>();
    authenticator.recognize(basic("anna:correct horse"), "10.0.0.8", elsewhere::add);
    while (!slow.isEmpty()) {
      slow.remove().run();
    }
    assertInstanceOf(Outcome.Known.class, elsewhere.getFirst());
  }

  @Test
  void aFullQueueIsSaidAndForgotten() {
    full = true;
    assertInstanceOf(Outcome.Later.class, ask(basic("anna:correct horse")).getFirst());
    full = false;
    known(basic("anna:correct horse"), Identity.Kind.USER, "anna");
  }

  @Test
  void whatIsNoCredential() {
    for (String header :
        List.of("", "Basic", "Basic !", "Bearer x", basic("no colon"), basic(":x"))) {
      assertEquals(
          Outcome.Reason.NO_CREDENTIAL,
          assertInstanceOf(Outcome.Unknown.class, answer(header)).reason(),
          header);
    }
  }
}
