package io.millrace.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.slot.ActionOrder;
import io.millrace.kernel.slot.CodecOrder;
import io.millrace.kernel.slot.NamedLayer;
import io.millrace.kernel.slot.SearchOrder;
import io.millrace.kernel.slot.TransportOrder;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.xcontent.ContextParser;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SearchPlugin;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestHandler.Route;
import org.opensearch.rest.RestRequest;
import org.opensearch.search.aggregations.PipelineAggregationBuilder;
import org.opensearch.search.profile.ProfileMetric;
import org.opensearch.test.IndexSettingsModule;
import org.opensearch.threadpool.FixedExecutorBuilder;
import org.opensearch.transport.TransportInterceptor;

/** What features declare is what OpenSearch is told, and nothing else. */
class FeaturePluginTest {
  @ParameterizedTest
  @MethodSource("io.millrace.kernel.NamedHooks#all")
  void nameBelongsToOneFeature(Map.Entry<String, Consumer<Hooks>> kind) {
    SomeFeature first = new SomeFeature("first.one", kind.getValue());
    SomeFeature second = new SomeFeature("second.one", kind.getValue());
    assertNotNull(SomeFeature.plugin(first));
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> SomeFeature.plugin(first, second));
    assertEquals(
        "[first.one] and [second.one] both declare the "
            + kind.getKey()
            + "; a name belongs to one feature: rename one of them",
        refused.getMessage());
  }

  @Test
  void everyNamedKindIsTried() {
    // a hook that takes a name or a thing with one, and is not in the list above, is not covered
    Set<String> unnamed =
        Set.of(
            "actionFilter",
            "aggregationExtension",
            "aliasUpdate",
            "bootstrapCheck",
            "collectorContext",
            "diskRelief",
            "engine",
            "fetchSubPhase",
            "index",
            "indexCreation",
            "indexSettings",
            "joinValidator",
            "mappingUpdate",
            "nodeStarted",
            "profileMetrics",
            "searchListener",
            "transport");
    // their values are one instance or strings, or they stand beside one of the same kind above
    Set<String> alike =
        Set.of(
            "compositeSource",
            "existingShardsAllocator",
            "hiddenSettings",
            "highlighter",
            "indexNames",
            "metadataMapper",
            "pipelineAggregation",
            "report",
            "rescorer",
            "scoreFunction",
            "searchExtension",
            "sort",
            "suggester",
            "taskHeader");
    long declared =
        Arrays.stream(Hooks.class.getMethods())
            .filter(method -> method.getReturnType() == void.class)
            .count();
    assertEquals(declared, unnamed.size() + alike.size() + NamedHooks.all().count());
  }

  @Test
  void bothKindsOfAggregationsShareTheirNames() {
    ContextParser<String, PipelineAggregationBuilder> parser = (content, name) -> null;
    SomeFeature one =
        new SomeFeature("a.one", hooks -> hooks.aggregation(NamedHooks.aggregation("log", "logs")));
    SomeFeature two =
        new SomeFeature(
            "b.two",
            hooks ->
                hooks.pipelineAggregation(
                    new SearchPlugin.PipelineAggregationSpec(
                        NamedHooks.parseField("lines", "logs"), in -> null, parser)));
    assertThrows(IllegalArgumentException.class, () -> SomeFeature.plugin(one, two));
  }

  @Test
  void codecLayersShareAPlaceButNoName() {
    SomeFeature fast =
        new SomeFeature(
            "a.one",
            hooks ->
                hooks.codecLayer(new NamedLayer("fast", CodecOrder.STORED_FIELDS, Set.of("fast"))));
    SomeFeature small =
        new SomeFeature(
            "b.two",
            hooks ->
                hooks.codecLayer(
                    new NamedLayer("small", CodecOrder.STORED_FIELDS, Set.of("small", "smaller"))));
    SomeFeature smaller =
        new SomeFeature(
            "c.three",
            hooks ->
                hooks.codecLayer(
                    new NamedLayer("smaller", CodecOrder.STORED_FIELDS, Set.of("smaller"))));
    assertNotNull(SomeFeature.plugin(fast, small));
    assertThrows(IllegalArgumentException.class, () -> SomeFeature.plugin(small, smaller));
  }

  @Test
  void sharedPartCountsOnce() {
    RestHandler shared = NamedHooks.handler(new Route(RestRequest.Method.GET, "/_log"));
    FeaturePlugin plugin =
        SomeFeature.plugin(
            new SomeFeature("a.one", hooks -> hooks.rest(shared)),
            new SomeFeature("b.two", hooks -> hooks.rest(shared)));
    assertEquals(List.of(shared), plugin.getRestHandlers(null, null, null, null, null, null, null));
  }

  @Test
  void nothingIsDeclaredLate() {
    List<Hooks> kept = new ArrayList<>();
    SomeFeature.plugin(new SomeFeature("a.one", kept::add));
    IllegalStateException late =
        assertThrows(IllegalStateException.class, () -> kept.getFirst().component("late"));
    assertTrue(late.getMessage().contains("Feature.declare"), late.getMessage());
  }

  @Test
  void declaredThingsReachOpenSearch() {
    ProfileMetric none = null;
    FeaturePlugin plugin =
        SomeFeature.plugin(
            new SomeFeature(
                "a.one",
                hooks -> {
                  hooks.threadPool(
                      "log", settings -> new FixedExecutorBuilder(settings, "log", 1, 1, "log"));
                  hooks.allocationDecider(
                      NamedHooks.Decider.class, (settings, dynamic) -> new NamedHooks.Decider());
                  hooks.profileMetrics((context, query) -> List.of(() -> none));
                  hooks.joinValidator((node, state) -> {
                    throw new IllegalStateException("a");
                  });
                }),
            new SomeFeature(
                "b.two", hooks -> hooks.profileMetrics((context, query) -> List.of(() -> none))));
    assertEquals(1, plugin.getExecutorBuilders(Settings.EMPTY).size());
    assertEquals(1, plugin.createAllocationDeciders(Settings.EMPTY, null).size());
    assertThrows(IllegalStateException.class, () -> plugin.getJoinValidator().accept(null, null));
    assertEquals(
        2,
        plugin
            .getQueryProfileMetricsProvider()
            .orElseThrow()
            .getQueryProfileMetrics(null, new MatchAllDocsQuery())
            .size());
  }

  /** What features declare with a place comes in that order, whoever declared it first. */
  @Test
  void placesDecideAndNotTheOrderOfTheFeatures() {
    SearchOperationListener account = new SearchOperationListener() {};
    SearchOperationListener limit = new SearchOperationListener() {};
    TransportInterceptor next = new TransportInterceptor() {};
    TransportInterceptor outermost = new TransportInterceptor() {};
    FeaturePlugin plugin =
        SomeFeature.plugin(
            new SomeFeature(
                "a.one",
                hooks -> {
                  hooks.searchListener(SearchOrder.ACCOUNT, account);
                  hooks.transport(TransportOrder.LIMIT, outermost);
                }),
            new SomeFeature(
                "b.two",
                hooks -> {
                  hooks.searchListener(SearchOrder.LIMIT, limit);
                  hooks.transport(TransportOrder.PREPARE, next);
                }));
    assertEquals(List.of(limit, account), plugin.searchListeners());
    // OpenSearch wraps each around those before it, so that the last one is the outermost
    assertEquals(List.of(next, outermost), plugin.getTransportInterceptors(null, null));
  }

  @Test
  void filterStandsAtANamedPlace() {
    for (ActionOrder place : ActionOrder.values()) {
      FeaturePlugin plugin = SomeFeature.plugin(filtering(place.order()));
      assertEquals(place.order(), plugin.getActionFilters().getFirst().order());
    }
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> SomeFeature.plugin(filtering(7)));
    assertTrue(refused.getMessage().startsWith("[a.one] declares the action filter ["));
    assertTrue(
        refused
            .getMessage()
            .endsWith(
                "with the order [7]; answer the order() of one of ActionOrder"
                    + " [AUTHORIZE, SHED, LIMIT, VALIDATE, REWRITE]"));
  }

  private static SomeFeature filtering(int order) {
    ActionFilter filter =
        new ActionFilter.Simple() {
          @Override
          public int order() {
            return order;
          }

          @Override
          protected boolean apply(
              String action, ActionRequest request, ActionListener<?> listener) {
            return true;
          }
        };
    return new SomeFeature("a.one", hooks -> hooks.actionFilter(filter));
  }

  /**
   * A node whose features declare nothing is a stock node: every method of every plugin interface
   * answers what OpenSearch's own default does, but for the kernel's own settings.
   */
  @Test
  void answersAsStockWhereNothingIsDeclared() throws ReflectiveOperationException {
    FeaturePlugin ours = SomeFeature.plugin();
    Set<Class<?>> asked = new LinkedHashSet<>();
    collect(FeaturePlugin.class, asked);
    assertTrue(asked.size() >= 10, asked.toString());
    for (Class<?> type : asked) {
      InvocationHandler stock =
          (proxy, method, arguments) -> InvocationHandler.invokeDefault(proxy, method, arguments);
      Object theirs = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, stock);
      for (Method method : type.getDeclaredMethods()) {
        compare(method, theirs, ours);
      }
    }
    assertEquals(
        FeaturePlugin.kernelKnobs().stream().map(Knob::setting).toList(), ours.getSettings());
    Plugin bare = new Plugin() {};
    for (Method method : Plugin.class.getDeclaredMethods()) {
      compare(method, bare, ours);
    }
  }

  private static void collect(Class<?> type, Set<Class<?>> asked) {
    for (Class<?> parent : type.getInterfaces()) {
      if (parent.getPackageName().equals("org.opensearch.plugins")) {
        asked.add(parent);
      }
      collect(parent, asked);
    }
    if (type.getSuperclass() != null) {
      collect(type.getSuperclass(), asked);
    }
  }

  private static void compare(Method method, Object theirs, Object ours)
      throws ReflectiveOperationException {
    if (!Modifier.isPublic(method.getModifiers())
        || Modifier.isStatic(method.getModifiers())
        || method.getName().equals("createComponents")
        || method.getName().equals("getSettings")
        || method.getName().equals("getIndexTemplateMetadataUpgrader")) {
      return;
    }
    Object[] arguments =
        Arrays.stream(method.getParameterTypes()).map(FeaturePluginTest::argument).toArray();
    method.setAccessible(true);
    assertEquals(
        method.invoke(theirs, arguments), method.invoke(ours, arguments), method.toString());
  }

  private static Object argument(Class<?> type) {
    if (type == IndexSettings.class) {
      return IndexSettingsModule.newIndexSettings("index", Settings.EMPTY);
    }
    return type == Settings.class ? Settings.EMPTY : null;
  }
}
