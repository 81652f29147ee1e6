package io.millrace.guard.debt;

import com.sun.jna.Native;

/**
 * {@code kill(2)}, bound directly: a call with two numbers allocates nothing. JNA is the server's
 * own (JNACLibrary at 3.8.0 binds the same library for mlockall).
 */
final class NativeKill {
  private NativeKill() {}

  /** Binds the library; once, before it is needed. */
  static void bind() {
    Native.register(NativeKill.class, "c");
  }

  /** Sends a signal; 0 sends none and only checks. */
  static native int kill(int pid, int signal);
}
