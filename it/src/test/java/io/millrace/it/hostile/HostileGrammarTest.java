package io.millrace.it.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.http.JsonHttp;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.geo.GeoModulePlugin;
import org.opensearch.index.mapper.MapperExtrasModulePlugin;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.join.ParentJoinModulePlugin;
import org.opensearch.percolator.PercolatorModulePlugin;
import org.opensearch.plugins.SearchPlugin;
import org.opensearch.search.SearchModule;
import org.opensearch.search.aggregations.BaseAggregationBuilder;
import org.opensearch.search.aggregations.matrix.MatrixAggregationModulePlugin;

/**
 * The grammar of hostile requests knows all that OpenSearch registers, and what is found shrinks.
 */
class HostileGrammarTest {
  /** The modules of a node that bring queries and aggregations. */
  private static final List<SearchPlugin> MODULES =
      List.of(
          new ParentJoinModulePlugin(),
          new PercolatorModulePlugin(),
          new MapperExtrasModulePlugin(),
          new GeoModulePlugin(),
          new MatrixAggregationModulePlugin());

  private static Set<String> registered(Class<?> category) {
    Set<String> names = new TreeSet<>();
    for (NamedXContentRegistry.Entry entry :
        new SearchModule(Settings.EMPTY, MODULES).getNamedXContents()) {
      if (entry.categoryClass == category) {
        names.add(entry.name.getPreferredName());
      }
    }
    return names;
  }

  @Test
  void everyKindOfQueryHasARule() {
    Set<String> missing = registered(QueryBuilder.class);
    missing.removeAll(new RequestGrammar(1).queries().kinds());
    assertEquals(Set.of(), missing);
  }

  @Test
  void everyKindOfAggregationHasARule() {
    Set<String> missing = registered(BaseAggregationBuilder.class);
    missing.removeAll(new RequestGrammar(1).aggregations().kinds());
    assertEquals(Set.of(), missing);
  }

  @Test
  void everyRuleMakesJson() throws Exception {
    RequestGrammar grammar = new RequestGrammar(3);
    for (String rule : grammar.rules()) {
      for (int i = 0; i < 3; i++) {
        json(grammar.of(rule));
      }
    }
    for (String kind : grammar.queries().kinds()) {
      assertEquals(kind, grammar.queries().of(kind, 0).keySet().iterator().next());
    }
    for (String kind : grammar.aggregations().kinds()) {
      assertTrue(HostileRequest.json(grammar.aggregations().of(kind)).contains("\"" + kind + "\""));
    }
  }

  private static void json(HostileRequest request) throws Exception {
    for (String line : request.body() == null ? new String[0] : request.body().split("\n")) {
      assertTrue(JsonHttp.MAPPER.readTree(line).isObject(), request::toString);
    }
  }

  @Test
  void theSameSeedGivesTheSameRequests() {
    RequestGrammar one = new RequestGrammar(5);
    RequestGrammar other = new RequestGrammar(5);
    for (int i = 0; i < 10; i++) {
      assertEquals(one.next().rule(), other.next().rule());
    }
  }

  @Test
  void whatIsFoundShrinksToWhatDoesIt() throws Exception {
    JsonNode found =
        JsonHttp.MAPPER.readTree(
            "{\"a\":{\"b\":[1,2,3,{\"c\":[7,8,9]}]},\"d\":[{\"bad\":[4,5]},{\"e\":1}],\"f\":0}");
    JsonNode smallest = Shrink.of(found, 1_000, value -> value.findValue("bad") != null);
    assertEquals("{\"d\":[{\"bad\":[5]}]}", smallest.toString());
  }

  @Test
  void noMoreIsTriedThanAllowed() throws Exception {
    JsonNode found = JsonHttp.MAPPER.readTree("{\"a\":[1,2,3,4,5,6,7,8],\"b\":1}");
    int[] tried = {0};
    Shrink.of(
        found,
        3,
        value -> {
          tried[0]++;
          return false;
        });
    assertEquals(3, tried[0]);
  }
}
