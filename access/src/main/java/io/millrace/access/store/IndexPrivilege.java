package io.millrace.access.store;

import java.util.Arrays;
import java.util.Locale;

/** What a role may allow on indices, as the bits that actions ask for. */
public enum IndexPrivilege {
  /** Documents, and what describes the index: mappings, settings, statistics. */
  READ(Bits.READ | Bits.MONITOR),
  /** New documents only, and the index that they need; nothing is read, changed or deleted. */
  APPEND(Bits.APPEND),
  /** Any write of documents, and the index that they need. */
  WRITE(Bits.APPEND | Bits.WRITE),
  /** Mappings, settings and statistics. */
  MONITOR(Bits.MONITOR),
  /** Create, delete, close, change settings, mappings and aliases. */
  MANAGE(Bits.MONITOR | Bits.MANAGE | Bits.APPEND_INDEX),
  /** All of these. */
  ALL(Bits.READ | Bits.APPEND | Bits.WRITE | Bits.MONITOR | Bits.MANAGE | Bits.APPEND_INDEX);

  /** One bit per thing that an action can need. */
  public static final class Bits {
    public static final int READ = 1;
    public static final int APPEND = 1 << 1;
    public static final int WRITE = 1 << 2;
    public static final int MONITOR = 1 << 3;
    public static final int MANAGE = 1 << 4;

    /** An index may come to be because a document needs it. */
    public static final int APPEND_INDEX = 1 << 5;

    private Bits() {}
  }

  private final int bits;

  IndexPrivilege(int bits) {
    this.bits = (bits & Bits.APPEND) == 0 ? bits : bits | Bits.APPEND_INDEX;
  }

  /** The bits that it gives. */
  public int bits() {
    return bits;
  }

  /** As roles write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * What a role says.
   *
   * @throws IllegalArgumentException naming all that there are
   */
  static IndexPrivilege of(String what, String text) {
    return Arrays.stream(values())
        .filter(each -> each.text().equals(text))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                what
                    + ": [indices.privileges] has ["
                    + text
                    + "]; give some of "
                    + Arrays.stream(values()).map(IndexPrivilege::text).toList()));
  }
}
