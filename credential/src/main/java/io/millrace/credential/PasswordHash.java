package io.millrace.credential;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A password as it is kept: {@code $pbkdf2-sha512$<rounds>$<salt>$<hash>}, salt and hash in base64
 * without padding.
 *
 * <p>PBKDF2 with HMAC-SHA-512 of the JDK and a salt of 16 random bytes. {@link #ROUNDS} is what
 * OWASP's cheat sheet on password storage asks of this function; a kept hash says its own number,
 * so that a later one can be larger. Checking is slow on purpose: never on an event loop.
 */
public final class PasswordHash {
  /** Rounds of a new hash. */
  public static final int ROUNDS = 210_000;

  /** Characters that a password has at least. */
  public static final int SHORTEST = 8;

  /** Characters that a password has at most: hashing takes them all. */
  public static final int LONGEST = 256;

  private static final String PREFIX = "$pbkdf2-sha512$";
  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 64;
  private static final int FEWEST_ROUNDS = 1_000;
  private static final int MOST_ROUNDS = 10_000_000;
  private static final String ALPHABET =
      "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

  private final int rounds;
  private final byte[] salt;
  private final byte[] hash;

  private PasswordHash(int rounds, byte[] salt, byte[] hash) {
    this.rounds = rounds;
    this.salt = salt;
    this.hash = hash;
  }

  /**
   * The hash of a new password.
   *
   * @throws IllegalArgumentException when it is shorter than {@link #SHORTEST} or longer than
   *     {@link #LONGEST} characters
   */
  public static PasswordHash of(char[] password) {
    return of(password, ROUNDS);
  }

  /**
   * The same with a number of rounds, for tests.
   *
   * @param rounds 1,000 to 10,000,000
   */
  public static PasswordHash of(char[] password, int rounds) {
    if (password.length < SHORTEST || password.length > LONGEST) {
      throw new IllegalArgumentException(
          "[password] has ["
              + password.length
              + "] characters; give it "
              + SHORTEST
              + " to "
              + LONGEST);
    }
    if (rounds < FEWEST_ROUNDS || rounds > MOST_ROUNDS) {
      throw new IllegalArgumentException(
          "[rounds] is [" + rounds + "]; give " + FEWEST_ROUNDS + " to " + MOST_ROUNDS);
    }
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    return new PasswordHash(rounds, salt, derive(password, salt, rounds, HASH_BYTES));
  }

  /**
   * A kept hash.
   *
   * @throws IllegalArgumentException when the text is none; it does not repeat the text
   */
  public static PasswordHash parse(String kept) {
    String[] parts = kept.startsWith(PREFIX) ? kept.split("\\$", -1) : new String[0];
    if (parts.length == 5) {
      try {
        int rounds = Integer.parseInt(parts[2]);
        byte[] salt = Base64.getDecoder().decode(parts[3]);
        byte[] hash = Base64.getDecoder().decode(parts[4]);
        if (rounds >= FEWEST_ROUNDS
            && rounds <= MOST_ROUNDS
            && salt.length >= SALT_BYTES
            && salt.length <= 64
            && hash.length == HASH_BYTES) {
          return new PasswordHash(rounds, salt, hash);
        }
      } catch (IllegalArgumentException e) {
        // said below
      }
    }
    throw new IllegalArgumentException(
        "not a password hash; it reads ["
            + PREFIX
            + "rounds$salt$hash] with [rounds] from "
            + FEWEST_ROUNDS
            + " to "
            + MOST_ROUNDS
            + " and base64 of 16 to 64 and of 64 bytes");
  }

  /** Whether this is the password; takes the same time wherever a wrong one differs. */
  public boolean matches(char[] password) {
    if (password.length > LONGEST) {
      return false;
    }
    return MessageDigest.isEqual(hash, derive(password, salt, rounds, hash.length));
  }

  /** The text to keep. */
  public String text() {
    Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
    return PREFIX + rounds + "$" + base64.encodeToString(salt) + "$" + base64.encodeToString(hash);
  }

  /** Not the hash: a log line must not show it. */
  @Override
  public String toString() {
    return PREFIX + "...";
  }

  /** A random password of 24 letters and digits, 139 bits, without those that look alike. */
  public static char[] random() {
    SecureRandom random = new SecureRandom();
    char[] password = new char[24];
    for (int i = 0; i < password.length; i++) {
      password[i] = ALPHABET.charAt(random.nextInt(ALPHABET.length()));
    }
    return password;
  }

  private static byte[] derive(char[] password, byte[] salt, int rounds, int bytes) {
    PBEKeySpec spec = new PBEKeySpec(password, salt, rounds, bytes * 8);
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512").generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no PBKDF2WithHmacSHA512; use Temurin", e);
    } finally {
      spec.clearPassword();
    }
  }
}
