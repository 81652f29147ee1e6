package io.millrace.kernel;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.profile.LeftOut;
import io.millrace.kernel.profile.Profile;
import io.millrace.kernel.profile.ProfileEntry;
import io.millrace.kernel.report.Page;
import io.millrace.kernel.slot.CodecOrder;
import io.millrace.kernel.slot.HttpDoor;
import io.millrace.kernel.slot.NamedLayer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.opensearch.action.ActionType;
import org.opensearch.cluster.routing.allocation.decider.AllocationDecider;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.ParseField;
import org.opensearch.core.common.io.stream.NamedWriteable;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.ContextParser;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.indices.SystemIndexDescriptor;
import org.opensearch.plugins.ActionPlugin.ActionHandler;
import org.opensearch.plugins.SearchPlugin;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestHandler.Route;
import org.opensearch.rest.RestHeaderDefinition;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.transport.client.node.NodeClient;

/** A declaration of each kind of hook that has a name, under a name that all share. */
final class NamedHooks {
  private NamedHooks() {}

  static final class Decider extends AllocationDecider {}

  static RestHandler handler(Route... routes) {
    return new RestHandler() {
      @Override
      public void handleRequest(RestRequest request, RestChannel channel, NodeClient client) {}

      @Override
      public List<Route> routes() {
        return List.of(routes);
      }
    };
  }

  static SearchPlugin.AggregationSpec aggregation(String... names) {
    ContextParser<String, AggregationBuilder> parser = (content, name) -> null;
    return new SearchPlugin.AggregationSpec(parseField(names), in -> null, parser);
  }

  static ParseField parseField(String... names) {
    return new ParseField(names[0], Arrays.copyOfRange(names, 1, names.length));
  }

  static final class SomePage implements Page {
    @Override
    public boolean wants(RestRequest request) {
      return false;
    }

    @Override
    public RestResponse answer(RestRequest request) {
      throw new AssertionError("nobody asked for it");
    }
  }

  /** Everything that has a name: each run makes a value of its own under the same name. */
  static Stream<Map.Entry<String, Consumer<Hooks>>> all() {
    Map<String, Consumer<Hooks>> all = new LinkedHashMap<>();
    all.put(
        "analyzer [log]",
        hooks -> hooks.analyzer("log", (index, environment, name, settings) -> fresh(hooks)));
    all.put(
        "tokenizer [log]",
        hooks -> hooks.tokenizer("log", (index, environment, name, settings) -> fresh(hooks)));
    all.put(
        "token filter [log]",
        hooks -> hooks.tokenFilter("log", (index, environment, name, settings) -> fresh(hooks)));
    all.put(
        "character filter [log]",
        hooks -> hooks.charFilter("log", (index, environment, name, settings) -> fresh(hooks)));
    all.put(
        "action [indices:data/read/log]",
        hooks ->
            hooks.action(
                new ActionHandler<>(new ActionType<>("indices:data/read/log", in -> null), null)));
    all.put(
        "REST handler [GET /_log/{}/lines]",
        hooks ->
            hooks.rest(
                handler(new Route(RestRequest.Method.GET, "/_log/{" + id(hooks) + "}/lines"))));
    all.put(
        "REST header [X-Log]", hooks -> hooks.restHeader(new RestHeaderDefinition("X-Log", false)));
    all.put(
        "allocation decider [" + Decider.class.getName() + "]",
        hooks -> hooks.allocationDecider(Decider.class, (settings, dynamic) -> fresh(hooks)));
    all.put(
        "shards allocator [even]",
        hooks -> hooks.shardsAllocator("even", (settings, dynamic) -> fresh(hooks)));
    all.put(
        "entry of the profile [logs index.codec]",
        hooks -> hooks.profile(ProfileEntry.of(Profile.LOGS, "index.codec", id(hooks), "a test")));
    all.put(
        "setting that profiles leave out [index.codec]",
        hooks -> hooks.leftOutOfProfiles(LeftOut.ofAll("index.codec", id(hooks))));
    all.put("report [log]", hooks -> hooks.reportSource("log", () -> Map.of("by", id(hooks))));
    all.put("page [/_millrace/]", hooks -> hooks.page(new SomePage()));
    all.put("component class [java.util.ArrayList]", hooks -> hooks.component(new ArrayList<>()));
    all.put(
        "named writeable [" + NamedWriteable.class.getName() + " log]",
        hooks ->
            hooks.namedWriteable(
                new NamedWriteableRegistry.Entry(NamedWriteable.class, "log", in -> null)));
    all.put(
        "named XContent [java.lang.Object log]",
        hooks ->
            hooks.namedXContent(
                new NamedXContentRegistry.Entry(Object.class, parseField("log"), parser -> null)));
    all.put("thread pool [log]", hooks -> hooks.threadPool("log", settings -> fresh(hooks)));
    all.put(
        "default of the setting [cluster.routing.allocation.type]",
        hooks ->
            hooks.nodeSettings(
                Settings.builder().put("cluster.routing.allocation.type", id(hooks)).build()));
    all.put(
        "provider of TLS settings [of this node]",
        hooks -> hooks.secureSettings(settings -> fresh(hooks)));
    all.put(
        "query cache [of every index]",
        hooks -> hooks.queryCache((settings, cache) -> fresh(hooks)));
    all.put("ingest processor [log]", hooks -> hooks.processor("log", parameters -> fresh(hooks)));
    all.put(
        "system ingest processor [log]",
        hooks -> hooks.systemProcessor("log", parameters -> fresh(hooks)));
    all.put(
        "field type [log_text]",
        hooks -> hooks.mapper("log_text", (name, node, context) -> fresh(hooks)));
    all.put(
        "http.type [millrace]", hooks -> hooks.httpTransport("millrace", services -> fresh(hooks)));
    all.put(
        "type of foreign bodies of the path [/v1/logs]",
        hooks -> hooks.foreignBody("/v1/logs", id(hooks), () -> true));
    all.put("door of HTTP [of this node]", hooks -> hooks.httpDoor(new SomeDoor()));
    all.put(
        "query [log]",
        hooks -> hooks.query(new SearchPlugin.QuerySpec<>("log", in -> null, parser -> null)));
    all.put(
        "codec layer [TERMS]",
        hooks -> hooks.codecLayer(new NamedLayer("packed", CodecOrder.TERMS, Set.of())));
    all.put("aggregation [log]", hooks -> hooks.aggregation(aggregation("log")));
    all.put(
        "pattern of system indices [.log*]",
        hooks -> hooks.systemIndex(new SystemIndexDescriptor(".log*", "lines")));
    return all.entrySet().stream();
  }

  private static final class SomeDoor implements HttpDoor {
    @Override
    public HttpServerTransport.Dispatcher inside(HttpServerTransport.Dispatcher dispatcher) {
      return dispatcher;
    }

    @Override
    public void knock(Head head, Consumer<Optional<String>> refusal) {
      refusal.accept(Optional.of(""));
    }

    @Override
    public boolean open() {
      return false;
    }
  }

  /** Makes a lambda capture something, so that each evaluation is an object of its own. */
  static <T> T fresh(Hooks hooks) {
    assertNotNull(hooks);
    return null;
  }

  static String id(Hooks hooks) {
    return "x" + System.identityHashCode(hooks);
  }
}
