package io.millrace.access.login;

import io.millrace.access.identity.Identity;
import io.millrace.access.store.AccessStore;
import io.millrace.access.store.ApiKey;
import io.millrace.access.store.User;
import io.millrace.credential.PasswordHash;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.cache.Cache;
import org.opensearch.common.cache.CacheBuilder;
import org.opensearch.common.unit.TimeValue;

/**
 * Recognizes who sends a request.
 *
 * <p>A password costs a slow hash once; after that its HMAC under a random key of this process
 * finds the answer. An entry holds the hash that it was checked against and counts only as long as
 * that is the user's hash: a changed password, or a user who is gone, is out at once, and nothing
 * ever empties the cache as a whole, which would make every client's next request slow at the same
 * moment.
 *
 * <p>The slow hash runs on threads of its own, few of them, with a bounded queue that one address
 * cannot fill. Equal credentials that wait are checked once. A name that does not exist costs the
 * same hash, so that the time of an answer does not tell names.
 */
public final class Authenticator {
  /** Credentials whose answer is kept. */
  static final int MOST_KEPT = 10_000;

  /** Credentials of one address that may wait to be checked. */
  static final int MOST_WAITING = 8;

  private final AccessStore store;
  private final Executor slow;
  private final Damping damping;

  /** With a random key of this process; copied for each use. */
  private final Mac prototype;

  private final PasswordHash nobody;

  /** By HMAC: who it is, and the hash that says so. */
  private final Cache<String, Proof> right =
      CacheBuilder.<String, Proof>builder().setMaximumWeight(MOST_KEPT).build();

  /** By HMAC: the hash that it does not match. */
  private final Cache<String, String> wrong =
      CacheBuilder.<String, String>builder()
          .setMaximumWeight(MOST_KEPT)
          .setExpireAfterWrite(TimeValue.timeValueMinutes(1))
          .build();

  private final Map<String, List<Consumer<Outcome>>> waiting = new HashMap<>();
  private final Map<String, Integer> waitingByAddress = new HashMap<>();

  private final LongAdder hits = new LongAdder();
  private final LongAdder hashes = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder damped = new LongAdder();

  private record Proof(Identity identity, String hash) {}

  /** A password to be checked: whose it would be, and the hash that it has to match as text. */
  private record Check(Identity identity, String text) {}

  /**
   * @param slow where passwords are checked
   * @param nanos the clock
   */
  public Authenticator(AccessStore store, Executor slow, LongSupplier nanos) {
    this.store = store;
    this.slow = slow;
    this.damping = new Damping(nanos);
    this.prototype = prototype();
    this.nobody = PasswordHash.of(PasswordHash.random(), PasswordHash.ROUNDS);
  }

  /**
   * Says who it is.
   *
   * @param header the {@code Authorization} header; null for none
   * @param address where it comes from
   * @param then is told, on this thread where no password has to be checked
   */
  public void recognize(@Nullable String header, String address, Consumer<Outcome> then) {
    if (header == null) {
      then.accept(new Outcome.Unknown(Outcome.Reason.NO_HEADER, null));
      return;
    }
    Credential credential = Credential.parse(header);
    if (credential == null) {
      failed.increment();
      then.accept(new Outcome.Unknown(Outcome.Reason.NO_CREDENTIAL, null));
      return;
    }
    if (credential.apiKey() || store.metadata().keys().containsKey(credential.name())) {
      then.accept(key(credential, address));
    } else {
      password(credential, header, address, then);
    }
  }

  private Outcome key(Credential credential, String address) {
    ApiKey key = store.key(credential.name());
    if (key != null && matches(key, credential.secret()) && !orphaned(key)) {
      hits.increment();
      Identity identity = new Identity(Identity.Kind.KEY, credential.name());
      return store.roles(identity) == null ? wrong(credential) : new Outcome.Known(identity);
    }
    int seconds = damping.wait(address, "key");
    if (seconds > 0) {
      return later(seconds, credential);
    }
    damping.failed(address, "key");
    failed.increment();
    return wrong(credential);
  }

  /** An operator who made it is none any more, on this node. */
  private boolean orphaned(ApiKey key) {
    Identity owner = Identity.parse(key.owner());
    return owner.kind() == Identity.Kind.OPERATOR
        && !store.operators().hashes().containsKey(owner.name());
  }

  private static boolean matches(ApiKey key, String secret) {
    return MessageDigest.isEqual(
        key.digest().getBytes(StandardCharsets.US_ASCII),
        digest(secret).getBytes(StandardCharsets.US_ASCII));
  }

  /** What is kept of a key's secret: its SHA-256 in hexadecimal. */
  public static String digest(String secret) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private void password(
      Credential credential, String header, String address, Consumer<Outcome> then) {
    String mac = mac(header);
    Check check = check(credential.name());
    Proof proof = right.get(mac);
    if (proof != null
        && proof.identity().equals(check.identity())
        && proof.hash().equals(check.text())) {
      hits.increment();
      then.accept(new Outcome.Known(check.identity()));
      return;
    }
    int seconds = damping.wait(address, credential.name());
    if (seconds > 0) {
      then.accept(later(seconds, credential));
      return;
    }
    if (check.text().equals(wrong.get(mac))) {
      failed(credential, address);
      then.accept(wrong(credential));
      return;
    }
    boolean full;
    synchronized (waiting) {
      List<Consumer<Outcome>> others = waiting.get(mac);
      if (others != null) {
        others.add(then);
        return;
      }
      full = waitingByAddress.getOrDefault(address, 0) >= MOST_WAITING;
      if (!full) {
        waitingByAddress.merge(address, 1, Integer::sum);
        waiting.put(mac, new ArrayList<>(List.of(then)));
      }
    }
    if (full) {
      then.accept(later(1, credential));
      return;
    }
    try {
      slow.execute(() -> finish(mac, address, hash(check, credential, mac, address)));
    } catch (RejectedExecutionException e) {
      finish(mac, address, later(1, credential));
    }
  }

  /** Whom the name would be; without a hash where there is nobody. */
  private Check check(String name) {
    PasswordHash operator = store.operators().hashes().get(name);
    if (operator != null) {
      return new Check(new Identity(Identity.Kind.OPERATOR, name), operator.text());
    }
    Identity identity = new Identity(Identity.Kind.USER, name);
    User user = store.metadata().users().get(name);
    return new Check(identity, user == null ? "" : user.hash());
  }

  private Outcome hash(Check check, Credential credential, String mac, String address) {
    hashes.increment();
    PasswordHash hash = check.text().isEmpty() ? nobody : PasswordHash.parse(check.text());
    boolean matches = hash.matches(credential.secret().toCharArray());
    if (matches && !check.text().isEmpty()) {
      right.put(mac, new Proof(check.identity(), check.text()));
      damping.succeeded(address, credential.name());
      return new Outcome.Known(check.identity());
    }
    wrong.put(mac, check.text());
    failed(credential, address);
    return wrong(credential);
  }

  private void failed(Credential credential, String address) {
    failed.increment();
    damping.failed(address, credential.name());
  }

  private static Outcome.Unknown wrong(Credential credential) {
    return new Outcome.Unknown(Outcome.Reason.WRONG, credential.name());
  }

  private Outcome.Later later(int seconds, Credential credential) {
    damped.increment();
    return new Outcome.Later(seconds, credential.name());
  }

  private void finish(String mac, String address, Outcome outcome) {
    List<Consumer<Outcome>> all;
    synchronized (waiting) {
      all = waiting.remove(mac);
      left(address);
    }
    if (all != null) {
      all.forEach(each -> each.accept(outcome));
    }
  }

  private void left(String address) {
    waitingByAddress.computeIfPresent(address, (key, count) -> count <= 1 ? null : count - 1);
  }

  private static Mac prototype() {
    byte[] key = new byte[32];
    new SecureRandom().nextBytes(key);
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  private String mac(String header) {
    try {
      Mac mac = (Mac) prototype.clone();
      return Base64.getEncoder()
          .encodeToString(mac.doFinal(header.getBytes(StandardCharsets.UTF_8)));
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("HmacSHA256 of every JDK can be copied", e);
    }
  }

  /** Credentials that were recognized without a slow hash. */
  public long hits() {
    return hits.sum();
  }

  /** Slow hashes. */
  public long hashes() {
    return hashes.sum();
  }

  /** Wrong credentials. */
  public long failed() {
    return failed.sum();
  }

  /** Attempts that were told to come back later. */
  public long damped() {
    return damped.sum();
  }
}
