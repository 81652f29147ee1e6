package io.millrace.it.twins;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.http.JsonHttp;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.SearchModule;

/** The grammar of twins asks every kind of query that reads ids or texts. */
class TwinGrammarTest {
  /** Of points and shapes, and what is only a part of another query or a name for one. */
  private static final Set<String> OTHERS =
      Set.of(
          "geo_distance", "geo_bounding_box", "geo_polygon", "geo_shape", "span_gap", "template");

  @Test
  void everyKindOfQueryIsAsked() {
    Set<String> kinds = new TreeSet<>();
    for (NamedXContentRegistry.Entry entry :
        new SearchModule(Settings.EMPTY, List.of()).getNamedXContents()) {
      if (entry.categoryClass == QueryBuilder.class) {
        kinds.add(entry.name.getPreferredName());
      }
    }
    Draw draw = new Draw(1);
    kinds.removeAll(new TwinSearches(draw, new TwinTexts(draw)).queries().kinds());
    kinds.removeAll(OTHERS);
    assertEquals(Set.of(), kinds);
  }

  @Test
  void theSameSeedGivesTheSameRequests() throws Exception {
    List<String> one = series(5);
    assertEquals(one, series(5));
    assertTrue(new HashSet<>(one).size() > one.size() / 2);
    for (String body : one) {
      for (String line : body.split("\n")) {
        assertTrue(JsonHttp.MAPPER.readTree(line).isObject(), body);
      }
    }
  }

  private static List<String> series(long seed) {
    Draw draw = new Draw(seed);
    TwinTexts texts = new TwinTexts(draw);
    TwinSearches searches = new TwinSearches(draw, texts);
    TwinWrites writes = new TwinWrites(draw, texts);
    writes.append(50);
    return draw.list(
        300,
        () -> {
          TwinRequest request = draw.once(3) ? writes.next() : searches.next();
          return request.body() == null ? "{}" : request.body();
        });
  }
}
