package io.millrace.access.login;

import io.millrace.access.identity.Identity;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What came of somebody's attempt to be recognized. */
public sealed interface Outcome {
  /** It is somebody known. */
  record Known(Identity identity) implements Outcome {}

  /**
   * No credentials, or wrong ones; which of both, and whether the name exists, is not said.
   *
   * @param name what was given as a name, for the audit log; null for none
   */
  record Unknown(Reason reason, @Nullable String name) implements Outcome {}

  /**
   * Too many failures, or too many that wait to be checked.
   *
   * @param name what was given as a name, for the audit log; null for none
   */
  record Later(int seconds, @Nullable String name) implements Outcome {
    /** What the client is told. */
    String reason() {
      return "too many wrong passwords, or too many at once";
    }
  }

  /** Why somebody is not known. */
  enum Reason {
    NO_HEADER("no Authorization header"),
    NO_CREDENTIAL("the Authorization header is neither Basic nor ApiKey"),
    WRONG("unknown name or key, or wrong password");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** What the client is told. */
    public String text() {
      return text;
    }
  }

  /** The scheme of {@link #refusal}. */
  String REFUSED = "Refused ";

  /** Waits are shorter, seconds. */
  int LONGEST_WAIT = 3_600;

  /**
   * What stands in the place of the credentials of a request that goes on without its body; empty
   * when the body may come. It is no secret: all that anybody gets by it is a refusal.
   */
  default Optional<String> refusal() {
    return switch (this) {
      case Known known -> Optional.empty();
      case Unknown unknown -> Optional.of(header(unknown.reason().name(), unknown.name()));
      case Later later -> Optional.of(header(String.valueOf(later.seconds()), later.name()));
    };
  }

  private static String header(String why, @Nullable String name) {
    String coded =
        name == null
            ? ""
            : ' ' + Base64.getEncoder().encodeToString(name.getBytes(StandardCharsets.UTF_8));
    return REFUSED + why + coded;
  }

  /** The outcome that a header of {@link #refusal} stands for; null when it is none. */
  static @Nullable Outcome refused(@Nullable String header) {
    if (header == null || !header.startsWith(REFUSED)) {
      return null;
    }
    String[] parts = header.substring(REFUSED.length()).split(" ", 2);
    try {
      String name =
          parts.length == 1
              ? null
              : new String(Base64.getDecoder().decode(parts[1]), StandardCharsets.UTF_8);
      for (Reason reason : Reason.values()) {
        if (reason.name().equals(parts[0])) {
          return new Unknown(reason, name);
        }
      }
      return new Later(Math.clamp(Integer.parseInt(parts[0]), 1, LONGEST_WAIT), name);
    } catch (IllegalArgumentException e) {
      return new Unknown(Reason.NO_CREDENTIAL, null);
    }
  }
}
