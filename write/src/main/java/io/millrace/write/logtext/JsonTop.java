package io.millrace.write.logtext;

import java.util.Arrays;

/**
 * Finds a field at the top of a JSON object's bytes without parsing what stands before it. The
 * object was parsed when it was indexed; of what is not sound JSON nothing is promised but an end.
 */
final class JsonTop {
  private JsonTop() {}

  /**
   * Where the first string begins that a field holds, behind its quote; -1 where it holds something
   * else, is not there, or only a parser can say.
   *
   * @param name in UTF-8
   * @throws ArrayIndexOutOfBoundsException perhaps, if the object is not closed
   */
  static int string(byte[] json, int from, int end, byte[] name) {
    int at = space(json, from, end);
    if (at >= end || json[at] != '{') {
      return -1;
    }
    at = space(json, at + 1, end);
    while (at < end && json[at] == '"') {
      int close = at + 1;
      while (json[close] != '"') {
        if (json[close++] == '\\') {
          return -1;
        }
      }
      boolean here = Arrays.equals(json, at + 1, close, name, 0, name.length);
      at = space(json, close + 1, end);
      if (at >= end || json[at] != ':') {
        return -1;
      }
      at = space(json, at + 1, end);
      if (here) {
        return at < end && json[at] == '"' ? at + 1 : -1;
      }
      at = space(json, behind(json, at, end), end);
      if (at >= end || json[at] != ',') {
        return -1;
      }
      at = space(json, at + 1, end);
    }
    return -1;
  }

  private static int space(byte[] json, int from, int end) {
    int at = from;
    while (at < end
        && (json[at] == ' ' || json[at] == '\n' || json[at] == '\r' || json[at] == '\t')) {
      at++;
    }
    return at;
  }

  /** Where a value ends. */
  private static int behind(byte[] json, int from, int end) {
    int depth = 0;
    int at = from;
    while (at < end) {
      switch (json[at]) {
        case '"' -> {
          at = behindString(json, at + 1);
          if (depth == 0) {
            return at;
          }
        }
        case '{', '[' -> {
          depth++;
          at++;
        }
        case '}', ']' -> {
          if (depth < 2) {
            return depth == 0 ? at : at + 1;
          }
          depth--;
          at++;
        }
        case ',' -> {
          if (depth == 0) {
            return at;
          }
          at++;
        }
        default -> at++;
      }
    }
    return at;
  }

  private static int behindString(byte[] json, int from) {
    int at = from;
    while (json[at] != '"') {
      at += json[at] == '\\' ? 2 : 1;
    }
    return at + 1;
  }
}
