package io.millrace.plugin.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;

/** An HTTP answer, with paths into its JSON body. */
record Answer(int status, String text) {

  /**
   * The value at a dotted path; names may hold escaped dots ({@code \\.}), list places are numbers.
   *
   * @return null where the path ends nowhere
   */
  @Nullable Object at(String path) {
    Object here = XContentHelper.convertToMap(XContentType.JSON.xContent(), text, false);
    for (String step : path.split("(?<!\\\\)\\.")) {
      String name = step.replace("\\.", ".");
      if (here instanceof Map<?, ?> map) {
        here = map.get(name);
      } else if (here instanceof List<?> list) {
        here = list.get(Integer.parseInt(name));
      } else {
        return null;
      }
    }
    return here;
  }

  long number(String path) {
    Object value = at(path);
    if (value instanceof Number number) {
      return number.longValue();
    }
    throw new AssertionError("no number at [" + path + "] in " + text);
  }

  /** The maps in the list at a path. */
  List<Map<?, ?>> maps(String path) {
    List<Map<?, ?>> maps = new ArrayList<>();
    if (at(path) instanceof List<?> list) {
      list.forEach(element -> maps.add((Map<?, ?>) element));
    }
    return maps;
  }
}
