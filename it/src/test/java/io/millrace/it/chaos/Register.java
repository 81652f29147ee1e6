package io.millrace.it.chaos;

/** What a document is if it is asked one operation after the other: a register with conditions. */
final class Register {
  /** No state: the operation cannot have happened there. */
  static final long REFUSED = -1;

  private Register() {}

  /**
   * The state after the operation, or {@link #REFUSED} where it could not have been carried out.
   */
  static long apply(long state, Operation operation) {
    return switch (operation.kind()) {
      case WRITE -> operation.value();
      case CREATE -> state == Operation.ABSENT ? operation.value() : REFUSED;
      case DELETE -> Operation.ABSENT;
      case REPLACE -> state == operation.expected() ? operation.value() : REFUSED;
      case READ -> state == operation.value() ? state : REFUSED;
    };
  }
}
