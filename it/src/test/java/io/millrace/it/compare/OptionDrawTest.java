package io.millrace.it.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.plugin.Features;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.unit.ByteSizeUnit;
import org.opensearch.core.common.unit.ByteSizeValue;

/** Every option of the build is drawn, with every value that its type and bounds allow. */
class OptionDrawTest {
  private final OptionValues values = new OptionValues(List.of("host", "tags", "n"));

  private static Set<String> declared(Stream<? extends Knob<?>> knobs, Property scope) {
    return knobs
        .map(Knob::setting)
        .filter(setting -> setting.getProperties().contains(scope))
        .map(Setting::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void everySwitchAndEverySettingOfAnIndexIsDrawnOrHeldWithAReason() {
    Set<String> options = new TreeSet<>(Set.of("index.codec"));
    options.addAll(
        declared(
            Stream.concat(
                FeaturePlugin.kernelKnobs().stream(),
                Features.all().stream().flatMap(Feature::settings)),
            Property.IndexScope));
    options.addAll(
        declared(
            Features.all().stream()
                .map(feature -> feature.enabled().knob())
                .filter(knob -> knob.setting().isDynamic()),
            Property.NodeScope));

    Set<String> covered = new TreeSet<>(new OptionDraw(Features.all(), values).names());
    covered.addAll(OptionDraw.HELD.keySet());
    assertEquals(options, covered);
    OptionDraw.HELD.values().forEach(held -> assertTrue(held.reason().length() > 20));
  }

  @Test
  void everyValueOccursAndTheSameSeedDrawsTheSame() {
    OptionDraw draw = new OptionDraw(Features.all(), values);
    Set<String> seen = new HashSet<>();
    Random random = new Random(7);
    Random again = new Random(7);
    for (int i = 0; i < 500; i++) {
      OptionSet set = draw.next(random);
      assertEquals(set, draw.next(again));
      for (Map<String, JsonNode> part : List.of(set.cluster(), set.index())) {
        part.forEach((key, value) -> seen.add(key + "=" + value));
      }
      set.laterIndex().keySet().forEach(key -> seen.add("later " + key));
    }
    assertTrue(
        seen.containsAll(
            List.of(
                "index.codec=\"zstandard\"",
                "index.codec=\"zstandard_archive\"",
                "index.codec=\"best_compression\"",
                "index.millrace.profile=\"traces\"",
                "index.millrace.file_access=\"map_and_load\"",
                "index.millrace.merge.policy=\"time_tiered\"",
                "index.millrace.merge.time_field=\"host\"",
                "index.millrace.ordinal_postings.fields=[\"*\"]",
                "index.millrace.columnar_source.enabled=true",
                "millrace.write.fast_engine.enabled=false",
                "later index.bulk_routing.enabled",
                // held, and therefore in every set
                "index.millrace.lenient_parsing.enabled=\"false\"")),
        seen.toString());
    assertTrue(!seen.contains("later index.codec"), "the codec of an open index cannot change");
  }

  /** What a feature might bring: one setting of each type, and a bound. */
  @Test
  void aNewSettingIsDrawnByItsTypeAndBounds() {
    assertEquals(
        List.of("50", "100", "25"),
        texts(Setting.intSetting("index.of", 50, 20, 200, Property.IndexScope)));
    assertTrue(
        texts(Setting.doubleSetting("index.of", 0.4, 0, Property.IndexScope)).contains("0.2"));
    List<String> times =
        texts(
            Setting.timeSetting(
                "index.of",
                TimeValue.timeValueMinutes(2),
                TimeValue.timeValueSeconds(5),
                Property.IndexScope));
    assertTrue(times.contains("2m") && times.contains("1h") && !times.contains("1s"), times + "");
    assertTrue(
        texts(
                Setting.byteSizeSetting(
                    "index.of", new ByteSizeValue(3, ByteSizeUnit.MB), Property.IndexScope))
            .contains("64kb"));
    assertTrue(
        texts(Setting.listSetting("index.of", List.of(), text -> text, Property.IndexScope))
            .contains("[\"host\",\"n\"]"));
    assertEquals(
        List.of("host", "tags", "n", "else"),
        texts(Setting.simpleString("index.of", "else", Property.IndexScope)));
  }

  @Test
  void aTypeThatNobodyKnowsIsAnError() {
    Setting<Object> odd =
        new Setting<>("index.odd", "1", text -> new Object(), Property.IndexScope);
    IllegalStateException e = assertThrows(IllegalStateException.class, () -> values.of(odd));
    assertTrue(e.getMessage().contains("[index.odd]"), e.getMessage());
    assertTrue(e.getMessage().contains("OptionValues"), e.getMessage());
  }

  /** A feature that is added to the list is drawn, and nothing else has to be told. */
  @Test
  void aNewFeatureIsDrawn() {
    Feature toy = new Toy();
    List<Feature> features = new ArrayList<>(Features.all());
    features.add(toy);
    List<String> names = new OptionDraw(features, values).names();
    assertTrue(
        names.containsAll(List.of("millrace.write.toy.enabled", "index.millrace.toy.size")),
        names.toString());
  }

  private static final class Toy implements Feature {
    private final Switch enabled = Feature.switchFor("write.toy", false);

    @Override
    public String id() {
      return "write.toy";
    }

    @Override
    public String summary() {
      return "toy";
    }

    @Override
    public List<String> sources() {
      return List.of();
    }

    @Override
    public Switch enabled() {
      return enabled;
    }

    @Override
    public List<Knob<?>> knobs() {
      return List.of(
          new Knob<>(
              Setting.intSetting("index.millrace.toy.size", 4, 1, 9, Property.IndexScope), "toy"));
    }
  }

  private List<String> texts(Setting<?> setting) {
    return values.of(setting).stream()
        .map(value -> value.isArray() ? value.toString() : value.asText())
        .toList();
  }
}
