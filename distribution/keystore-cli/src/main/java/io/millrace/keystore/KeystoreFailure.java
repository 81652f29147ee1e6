package io.millrace.keystore;

/** An expected failure: its message is all the user needs. */
final class KeystoreFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  KeystoreFailure(String message) {
    super(message);
  }
}
