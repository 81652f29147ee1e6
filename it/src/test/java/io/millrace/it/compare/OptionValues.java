package io.millrace.it.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.unit.ByteSizeValue;

/**
 * The values that a setting may be tried with. They come from the type of its default; what its own
 * parser refuses, a bound for example, is left out.
 */
final class OptionValues {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final List<Integer> NUMBERS = List.of(-1, 0, 1, 2, 3, 10, 50, 100, 1000, 65_536);
  private static final List<String> TIMES =
      List.of("-1", "0", "1ms", "100ms", "1s", "5s", "30s", "1m", "5m", "1h", "1d");
  private static final List<String> SIZES =
      List.of("-1", "0b", "1b", "1kb", "64kb", "1mb", "16mb", "512mb", "1gb");

  private final List<String> fields;

  /**
   * @param fields names of fields, which settings of free text are given
   */
  OptionValues(List<String> fields) {
    this.fields = List.copyOf(fields);
  }

  /**
   * At least two values that the setting takes.
   *
   * @throws IllegalStateException when there are fewer: the type of its value is not known here
   */
  List<JsonNode> of(Setting<?> setting) {
    Object standard = setting.getDefault(Settings.EMPTY);
    List<JsonNode> taken =
        proposals(standard).distinct().filter(value -> takes(setting, value)).toList();
    if (taken.size() < 2) {
      throw new IllegalStateException(
          "no two values of ["
              + setting.getKey()
              + "] are known, whose default is a "
              + standard.getClass().getName()
              + "; teach OptionValues this type");
    }
    return taken;
  }

  private Stream<JsonNode> proposals(Object standard) {
    return switch (standard) {
      case Boolean ignored -> Stream.of(JSON.booleanNode(true), JSON.booleanNode(false));
      case Enum<?> value ->
          Stream.of(value.getDeclaringClass().getEnumConstants())
              .flatMap(each -> Stream.of(each.toString(), each.name().toLowerCase()))
              .map(JSON::textNode);
      case Double value -> numbers(value.doubleValue());
      case Float value -> numbers(value.doubleValue());
      case Number value ->
          Stream.concat(
                  NUMBERS.stream().map(Integer::longValue),
                  Stream.of(value.longValue() / 2, value.longValue(), value.longValue() * 2))
              .map(JSON::numberNode);
      case TimeValue value -> texts(TIMES, value.getStringRep());
      case ByteSizeValue value -> texts(SIZES, value.getStringRep());
      case List<?> ignored -> lists();
      case String value -> texts(fields, value);
      default -> Stream.empty();
    };
  }

  private static Stream<JsonNode> numbers(double standard) {
    return Stream.of(-1.0, 0.0, 0.1, 0.5, 0.9, 1.0, 2.0, standard / 2, standard, standard * 2)
        .map(JSON::numberNode);
  }

  private static Stream<JsonNode> texts(List<String> values, String standard) {
    return Stream.concat(values.stream(), Stream.of(standard)).map(JSON::textNode);
  }

  /** None, all by a star, each field alone, and every other field. */
  private Stream<JsonNode> lists() {
    List<Set<String>> lists = new ArrayList<>(List.of(Set.of(), Set.of("*")));
    fields.forEach(field -> lists.add(Set.of(field)));
    Set<String> some = new LinkedHashSet<>();
    for (int i = 0; i < fields.size(); i += 2) {
      some.add(fields.get(i));
    }
    lists.add(some);
    return lists.stream()
        .map(list -> {
          ArrayNode array = JSON.arrayNode();
          list.forEach(array::add);
          return array;
        });
  }

  private static boolean takes(Setting<?> setting, JsonNode value) {
    Settings.Builder settings = Settings.builder();
    if (value.isArray()) {
      List<String> list = new ArrayList<>();
      value.forEach(each -> list.add(each.asText()));
      settings.putList(setting.getKey(), list);
    } else {
      settings.put(setting.getKey(), value.asText());
    }
    try {
      setting.get(settings.build());
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
