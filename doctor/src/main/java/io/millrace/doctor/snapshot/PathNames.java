package io.millrace.doctor.snapshot;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Names in the path of a request. */
public final class PathNames {
  private PathNames() {}

  /** A name as it may stand in a path. */
  public static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Each of several names. */
  public static List<String> encoded(List<String> names) {
    return names.stream().map(PathNames::encoded).toList();
  }
}
