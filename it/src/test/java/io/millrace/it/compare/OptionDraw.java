package io.millrace.it.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.kernel.hooks.HookRegistry;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.slot.CodecLayer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.opensearch.common.settings.Setting;

/**
 * Draws sets of options from what the features declare: every switch that a running node takes,
 * every setting of an index, and {@code index.codec} with the names that codec layers bring. A
 * feature that is new is drawn without a line here.
 *
 * <p>Other settings of a node are limits and times: what they refuse or how soon they act is not
 * among the answers that stay the same.
 */
final class OptionDraw {
  /** An option that stands as it is on stock, because an answer differs with it on purpose. */
  record Held(String value, String reason) {}

  /** Every option that changes answers on purpose. */
  static final Map<String, Held> HELD =
      Map.of(
          "index.millrace.lenient_parsing.enabled",
          new Held("false", "a document that stock refuses is indexed without the refused value"),
          "index.millrace.freshness",
          new Held("-1", "a search finds what was written before anybody has refreshed"));

  private final Map<String, List<JsonNode>> switches = new TreeMap<>();
  private final Map<String, List<JsonNode>> index = new TreeMap<>();
  private final Map<String, List<JsonNode>> dynamic = new TreeMap<>();

  /**
   * @param features the features of the build
   * @param values what each setting may be tried with
   */
  OptionDraw(List<Feature> features, OptionValues values) {
    FeaturePlugin.kernelKnobs().forEach(knob -> index(knob.setting(), values));
    TreeSet<String> codecs = new TreeSet<>(List.of("default", "best_compression"));
    for (Feature feature : features) {
      Setting<Boolean> enabled = feature.enabled().setting();
      if (enabled.isDynamic()) {
        switches.put(enabled.getKey(), values.of(enabled));
      }
      feature.knobs().stream().map(Knob::setting).forEach(setting -> index(setting, values));
      codecs.addAll(codecs(feature));
    }
    List<JsonNode> names = new ArrayList<>();
    codecs.forEach(name -> names.add(JsonNodeFactory.instance.textNode(name)));
    index.put("index.codec", names);
  }

  private void index(Setting<?> setting, OptionValues values) {
    if (!setting.hasIndexScope()
        || setting.isPrivateIndex()
        || HELD.containsKey(setting.getKey())) {
      return;
    }
    index.put(setting.getKey(), values.of(setting));
    if (setting.isDynamic()) {
      dynamic.put(setting.getKey(), values.of(setting));
    }
  }

  /** The names of codecs that the feature's layers bring. */
  private static List<String> codecs(Feature feature) {
    List<String> names = new ArrayList<>();
    HookRegistry registry = new HookRegistry();
    registry.declare(
        feature.id(),
        ignored ->
            feature.declare(
                new Hooks() {
                  @Override
                  public HookRegistry registry() {
                    return registry;
                  }

                  @Override
                  public void codecLayer(CodecLayer layer) {
                    names.addAll(layer.names());
                  }
                }));
    return names;
  }

  /** The switches that are drawn. */
  Set<String> switches() {
    return switches.keySet();
  }

  /** The names of all that is drawn. */
  List<String> names() {
    return Stream.concat(switches.keySet().stream(), index.keySet().stream()).toList();
  }

  /** The next set. An option that is left out of it has its default. */
  OptionSet next(Random random) {
    Map<String, JsonNode> created = some(index, random);
    HELD.forEach((key, held) -> created.put(key, JsonNodeFactory.instance.textNode(held.value())));
    return new OptionSet(
        some(switches, random), created, later(switches, random), later(dynamic, random));
  }

  /** Half as many, of which some go back to their default. */
  private static Map<String, JsonNode> later(Map<String, List<JsonNode>> all, Random random) {
    Map<String, JsonNode> drawn = some(all, random);
    drawn.keySet().removeIf(key -> random.nextBoolean());
    drawn.replaceAll(
        (key, value) -> random.nextInt(4) == 0 ? JsonNodeFactory.instance.nullNode() : value);
    return drawn;
  }

  private static Map<String, JsonNode> some(Map<String, List<JsonNode>> all, Random random) {
    Map<String, JsonNode> drawn = new TreeMap<>();
    all.forEach((key, values) -> {
      if (random.nextInt(3) != 0) {
        drawn.put(key, values.get(random.nextInt(values.size())));
      }
    });
    return drawn;
  }
}
