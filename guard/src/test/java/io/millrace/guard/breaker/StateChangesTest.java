package io.millrace.guard.breaker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.opensearch.Version;
import org.opensearch.action.admin.cluster.reroute.ClusterRerouteRequest;
import org.opensearch.action.admin.cluster.settings.ClusterUpdateSettingsRequest;
import org.opensearch.action.admin.indices.alias.Alias;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest.AliasActions;
import org.opensearch.action.admin.indices.create.CreateIndexRequest;
import org.opensearch.action.admin.indices.mapping.put.PutMappingRequest;
import org.opensearch.action.admin.indices.settings.put.UpdateSettingsRequest;
import org.opensearch.action.admin.indices.template.put.PutComponentTemplateAction;
import org.opensearch.action.admin.indices.template.put.PutIndexTemplateRequest;
import org.opensearch.action.support.clustermanager.ClusterManagerNodeRequest;
import org.opensearch.cluster.metadata.AliasMetadata;
import org.opensearch.cluster.metadata.ComponentTemplate;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.metadata.Template;
import org.opensearch.cluster.routing.allocation.command.MoveAllocationCommand;
import org.opensearch.common.settings.Settings;

class StateChangesTest {
  private static final int MANY = 500;

  private static Metadata indices(String... names) {
    Metadata.Builder metadata = Metadata.builder();
    for (String name : names) {
      metadata.put(
          IndexMetadata.builder(name)
              .settings(
                  Settings.builder().put(IndexMetadata.SETTING_VERSION_CREATED, Version.CURRENT))
              .numberOfShards(1)
              .numberOfReplicas(0));
    }
    return metadata.build();
  }

  private static long of(ClusterManagerNodeRequest<?> request) {
    return StateChanges.of(request, null);
  }

  private static Settings settings() {
    Settings.Builder settings = Settings.builder();
    for (int i = 0; i < MANY; i++) {
      settings.put("logger.a" + i, "debug");
    }
    return settings.build();
  }

  private static void assertMany(ClusterManagerNodeRequest<?> request) {
    long changes = of(request);
    assertTrue(changes >= MANY && changes < MANY + 10, changes + " in " + request);
  }

  @Test
  void anAliasCountsForEachIndex() {
    Metadata three = indices("a1", "a2", "b");
    IndicesAliasesRequest request = new IndicesAliasesRequest();
    request.addAliasAction(AliasActions.add().index("a1").alias("x"));
    assertEquals(1, StateChanges.of(request, three));
    request.addAliasAction(AliasActions.add().indices("a*").aliases("x", "y"));
    assertEquals(1 + 2 * 2, StateChanges.of(request, three));
    request.addAliasAction(AliasActions.add().indices("*", "-b").alias("z"));
    request.addAliasAction(AliasActions.add().index("_all").alias("z"));
    request.addAliasAction(AliasActions.removeIndex().indices("a1", "b"));
    assertEquals(5 + 4 + 3 + 2, StateChanges.of(request, three));
    assertEquals(1 + 2 + 2 + 1 + 2, StateChanges.of(request, null)); // before the state is known
  }

  @Test
  void toRemoveAnAliasCountsWhereItIs() {
    Metadata.Builder metadata = Metadata.builder(indices("a1", "a2", "b"));
    metadata.put(
        IndexMetadata.builder(metadata.get("a1")).putAlias(AliasMetadata.builder("x").build()));
    IndicesAliasesRequest request = new IndicesAliasesRequest();
    request.addAliasAction(AliasActions.remove().index("*").alias("x"));
    assertEquals(1, StateChanges.of(request, metadata.build()));
    request.addAliasAction(AliasActions.remove().index("b").alias("none"));
    assertEquals(1 + 1, StateChanges.of(request, metadata.build()));
    request.addAliasAction(AliasActions.remove().index("_all").alias("x*"));
    assertEquals(2 + 3, StateChanges.of(request, metadata.build()));
  }

  @Test
  void everyWayToManyChangesIsSeen() throws Exception {
    assertMany(new ClusterUpdateSettingsRequest().persistentSettings(settings()));
    assertMany(new ClusterUpdateSettingsRequest().transientSettings(settings()));
    assertMany(new UpdateSettingsRequest(settings(), "i"));
    assertMany(new CreateIndexRequest("i", settings()));
    CreateIndexRequest index = new CreateIndexRequest("i");
    PutIndexTemplateRequest legacy = new PutIndexTemplateRequest("t").patterns(List.of("i"));
    ClusterRerouteRequest reroute = new ClusterRerouteRequest();
    for (int i = 0; i < MANY; i++) {
      index.alias(new Alias("a" + i));
      legacy.alias(new Alias("a" + i));
      reroute.add(new MoveAllocationCommand("i", i, "n", "m"));
    }
    assertMany(index);
    assertMany(legacy);
    assertMany(reroute);
    Map<String, AliasMetadata> aliases =
        IntStream.range(0, MANY)
            .mapToObj(i -> AliasMetadata.builder("a" + i).build())
            .collect(Collectors.toMap(AliasMetadata::alias, a -> a));
    assertMany(
        new PutComponentTemplateAction.Request("t")
            .componentTemplate(
                new ComponentTemplate(new Template(null, null, aliases), null, null)));
    assertMany(
        new PutComponentTemplateAction.Request("t")
            .componentTemplate(
                new ComponentTemplate(new Template(settings(), null, null), null, null)));
  }

  @Test
  void theValuesOfOneSettingAreOneChangeAndSoIsAMapping() {
    Settings synonyms =
        Settings.builder()
            .putList("index.analysis.filter.s.synonyms", List.copyOf(settings().keySet()))
            .build();
    assertTrue(of(new CreateIndexRequest("i", synonyms)) < 10);
    String fields =
        settings().keySet().stream()
            .map(k -> "\"" + k + "\":{\"type\":\"keyword\"}")
            .collect(Collectors.joining(","));
    assertTrue(
        of(
                new PutMappingRequest("i")
                    .source(
                        "{\"properties\":{" + fields + "}}",
                        org.opensearch.common.xcontent.XContentType.JSON))
            < 10);
  }
}
