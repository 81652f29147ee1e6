package io.millrace.doctor.tune;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Names with {@code *}, as templates and requests write them. */
final class Globs {
  private Globs() {}

  static boolean matches(String glob, String name) {
    return name.matches(Pattern.quote(glob).replace("*", "\\E.*\\Q"));
  }

  static boolean any(List<String> globs, String name) {
    return globs.stream().anyMatch(glob -> matches(glob, name));
  }

  /** The patterns of a template. */
  static List<String> of(JsonNode template) {
    List<String> globs = new ArrayList<>();
    template.path("index_patterns").forEach(glob -> globs.add(glob.asText()));
    return globs;
  }
}
