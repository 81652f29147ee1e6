package io.millrace.it.twins;

import org.jspecify.annotations.Nullable;

/** One request; {@code #} stands for the name of the index. */
record TwinRequest(String method, String path, @Nullable String body) {
  static final int IDS = 900;

  static TwinRequest of(String method, String path, @Nullable Object body) {
    return new TwinRequest(method, path, body == null ? null : Draw.json(body));
  }

  /** An id that a document may have. */
  static String id(Draw draw) {
    return "d" + draw.below(IDS);
  }

  @Override
  public String toString() {
    return method + " " + path + (body == null ? "" : " " + body);
  }
}
