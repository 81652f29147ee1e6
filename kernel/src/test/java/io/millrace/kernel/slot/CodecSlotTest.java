package io.millrace.kernel.slot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.mapper.MapperService;
import org.opensearch.test.IndexSettingsModule;

/** What wraps what, whatever the order in which it was declared. */
class CodecSlotTest {
  private static final CodecLayer TERMS = new NamedLayer("terms", CodecOrder.TERMS, Set.of());
  private static final CodecLayer SUMMARIES =
      new NamedLayer("summaries", CodecOrder.SUMMARIES, Set.of());
  private static final CodecLayer SOURCE = new NamedLayer("source", CodecOrder.SOURCE, Set.of());
  private static final CodecLayer SMALL =
      new NamedLayer("small", CodecOrder.STORED_FIELDS, Set.of("small", "smaller"));
  private static final CodecLayer FAST =
      new NamedLayer("fast", CodecOrder.STORED_FIELDS, Set.of("fast"));

  private static Map<String, String> codecs(List<CodecLayer> layers, Settings settings) {
    IndexSettings index = IndexSettingsModule.newIndexSettings("index", settings);
    Map<String, String> names = new TreeMap<>();
    new CodecSlot(layers)
        .getCodecs(null, index, Lucene104Codec::new)
        .forEach((name, codec) -> names.put(name, codec.getName()));
    return names;
  }

  private static void permute(List<CodecLayer> rest, List<CodecLayer> taken, int[] count) {
    if (rest.isEmpty()) {
      count[0]++;
      assertEquals(
          Map.of(
              "fast", "source0fast0summaries0terms0Lucene104",
              "small", "source0small0summaries0terms0Lucene104",
              "smaller", "source0small0summaries0terms0Lucene104"),
          codecs(taken, Settings.EMPTY),
          taken.toString());
    }
    for (CodecLayer next : rest) {
      List<CodecLayer> left = new ArrayList<>(rest);
      left.remove(next);
      List<CodecLayer> more = new ArrayList<>(taken);
      more.add(next);
      permute(left, more, count);
    }
  }

  @Test
  void everyOrderOfDeclarationGivesTheSameCodecs() {
    int[] count = new int[1];
    permute(List.of(SOURCE, FAST, SMALL, SUMMARIES, TERMS), List.of(), count);
    assertEquals(120, count[0]);
  }

  @Test
  void leavesOutWhatAnIndexDoesNotWant() {
    List<CodecLayer> all = List.of(TERMS, SUMMARIES, SMALL, FAST, SOURCE);
    Settings none = Settings.builder().put("index.summaries", false).build();
    assertEquals("source0fast0terms0Lucene104", codecs(all, none).get("fast"));
    Settings noFast = Settings.builder().put("index.fast", false).build();
    assertEquals(Set.of("small", "smaller"), codecs(all, noFast).keySet());
    Settings nothing =
        Settings.builder().put("index.fast", false).put("index.small", false).build();
    assertEquals(Map.of(), codecs(all, nothing));
  }

  @Test
  void refusalOfALayerStands() {
    CodecLayer refusing =
        new CodecLayer() {
          @Override
          public CodecOrder order() {
            return CodecOrder.TERMS;
          }

          @Override
          public boolean wants(@Nullable MapperService mapper, IndexSettings index) {
            throw new IllegalStateException("the library is missing");
          }

          @Override
          public Codec over(Codec beneath, String name, IndexSettings index) {
            throw new AssertionError("never built");
          }
        };
    assertThrows(
        IllegalStateException.class, () -> codecs(List.of(refusing, FAST), Settings.EMPTY));
  }
}
