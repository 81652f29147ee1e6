package io.millrace.access.login;

import io.millrace.access.identity.Identity;

/** What came of somebody's attempt to be recognized. */
public sealed interface Outcome {
  /** It is somebody known. */
  record Known(Identity identity) implements Outcome {}

  /** No credentials, or wrong ones; which of both, and whether the name exists, is not said. */
  record Unknown(String reason) implements Outcome {}

  /** Too many failures, or too many that wait to be checked. */
  record Later(int seconds, String reason) implements Outcome {}
}
