package io.millrace.doctor.tune;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** PathNames in the path of a request. */
final class PathNames {
  private PathNames() {}

  static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  static List<String> encoded(List<String> names) {
    return names.stream().map(PathNames::encoded).toList();
  }
}
