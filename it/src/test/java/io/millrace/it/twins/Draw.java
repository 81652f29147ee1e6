package io.millrace.it.twins;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/** Random choices, the same for the same seed, and JSON made of them. */
final class Draw {
  /** Writes lone surrogates as escapes, as a client in JavaScript does. */
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  final Random random;

  Draw(long seed) {
    random = new Random(seed);
  }

  @SafeVarargs
  final <T> T any(T... values) {
    return values[random.nextInt(values.length)];
  }

  <T> T of(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  /** True once in so many times. */
  boolean once(int times) {
    return random.nextInt(times) == 0;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  <T> List<T> list(int size, Supplier<T> value) {
    List<T> list = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      list.add(value.get());
    }
    return list;
  }

  /** An object that may grow, of names and values in turn. */
  static Map<String, Object> object(Object... members) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < members.length; i += 2) {
      object.put((String) members[i], members[i + 1]);
    }
    return object;
  }

  /** The object with one more member, every so many times. */
  Map<String, Object> with(Map<String, Object> object, int times, String name, Object value) {
    if (once(times)) {
      object.put(name, value);
    }
    return object;
  }

  static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
