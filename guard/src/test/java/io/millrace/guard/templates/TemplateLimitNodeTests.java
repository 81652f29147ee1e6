package io.millrace.guard.templates;

import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;

import io.millrace.guard.FeatureNodeTestCase;
import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.ingest.PutPipelineRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.ingest.AbstractProcessor;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.Processor;
import org.opensearch.ingest.ValueSource;
import org.opensearch.plugins.IngestPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.script.Script;
import org.opensearch.script.ScriptService;
import org.opensearch.script.ScriptType;
import org.opensearch.script.TemplateScript;
import org.opensearch.script.mustache.MultiSearchTemplateAction;
import org.opensearch.script.mustache.MultiSearchTemplateRequest;
import org.opensearch.script.mustache.MultiSearchTemplateResponse;
import org.opensearch.script.mustache.MustacheModulePlugin;
import org.opensearch.script.mustache.SearchTemplateAction;
import org.opensearch.script.mustache.SearchTemplateRequest;

/** Templates of stock's engine on a node that bounds them. */
public class TemplateLimitNodeTests extends FeatureNodeTestCase {
  private static final String LOOPS =
      "{\"query\":{\"terms\":{\"a\":[{{#l}}{{#l}}{{#l}}\"value-{{.}}\",{{/l}}{{/l}}{{/l}}\"x\"]}}}";

  /** Hosts the feature; the node constructs it, the test finds it again. */
  public static final class Host extends FeaturePlugin {
    static volatile TemplateLimitFeature feature;

    public Host() {
      super(List.of(feature = new TemplateLimitFeature()));
    }
  }

  /** A processor that writes a template into a field, as stock's {@code set} does. */
  public static final class Writing extends Plugin implements IngestPlugin {
    @Override
    public Map<String, Processor.Factory> getProcessors(Processor.Parameters parameters) {
      return Map.of(
          "write",
          (factories, tag, description, config) -> {
            ValueSource value = ValueSource.wrap(config.remove("value"), parameters.scriptService);
            return new AbstractProcessor(tag, description) {
              @Override
              public IngestDocument execute(IngestDocument document) {
                document.setFieldValue(
                    "written",
                    value.copyAndResolve(new HashMap<>(document.getSourceAndMetadata())));
                return document;
              }

              @Override
              public String getType() {
                return "write";
              }
            };
          });
    }
  }

  @Override
  protected Feature feature() {
    return Host.feature;
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class, MustacheModulePlugin.class, Writing.class);
  }

  private static Map<String, Object> list(int length) {
    Map<String, Object> values = new HashMap<>();
    values.put("l", IntStream.range(0, length).boxed().toList());
    return values;
  }

  private String render(String source, Map<String, Object> values) {
    return getInstanceFromNode(ScriptService.class)
        .compile(new Script(ScriptType.INLINE, "mustache", source, values), TemplateScript.CONTEXT)
        .newInstance(values)
        .execute();
  }

  private void refuses(String setting, Exception e) {
    assertEquals(RestStatus.TOO_MANY_REQUESTS, ExceptionsHelper.status(e));
    assertThat(
        e.getMessage(),
        allOf(
            containsString("[template-limit]"),
            containsString("[" + feature().prefix() + "." + setting + "] allows"),
            containsString("raise the limit")));
  }

  private static SearchTemplateRequest template(int length) {
    SearchTemplateRequest request = new SearchTemplateRequest(new SearchRequest("_all"));
    request.setScriptType(ScriptType.INLINE);
    request.setScript(LOOPS);
    request.setScriptParams(list(length));
    return request;
  }

  public void testTheTextIsThatOfStock() {
    Map<String, Object> values = new HashMap<>();
    values.put("l", List.of(Map.of("a", "<1>", "b", List.of(1.5, true)), "two", List.of("x", "y")));
    values.put("m", Map.of("k", List.of(Map.of("n", 7L))));
    values.put("s", "text");
    values.put("empty", List.of());
    String source =
        "{{#l}}[{{a}}{{#b}}{{.}};{{/b}}{{.}}]{{/l}} {{l.1}} {{l.size}} {{m.k.0.n}} {{m}} {{s}}"
            + " {{#s}}({{.}}){{/s}} {{^empty}}none{{/empty}} {{#toJson}}l{{/toJson}}"
            + " {{#toJson}}m{{/toJson}} {{#join}}l.2{{/join}} {{missing}}{{{s}}}{{&s}}";
    String bounded = render(source, values);
    set("enabled", false);
    assertEquals(render(source, values), bounded);
    assertThat(bounded, containsString("(text) none"));
  }

  public void testATemplateThatWritesTooMuchIsStopped() {
    double before = metric("refused");
    refuses("limit", expectThrows(RuntimeException.class, () -> render(LOOPS, list(1_000))));
    assertEquals(before + 1, metric("refused"), 0);
    assertEquals("nothing is held afterwards", 0, metric("held"), 0);
  }

  public void testAValueThatIsWrittenOftenIsNotWrittenAtAll() {
    String source = "{{#l}}" + "{{.}}".repeat(2_000) + "{{/l}}";
    Map<String, Object> values = Map.of("l", List.of("x".repeat(1_000_000)));
    refuses("limit", expectThrows(RuntimeException.class, () -> render(source, values)));
  }

  public void testATemplateThatWritesNothingForHoursIsStopped() {
    set("time", "200ms");
    refuses(
        "time",
        expectThrows(
            RuntimeException.class,
            () -> render("{{#l}}{{#l}}{{#l}}{{#l}}{{/l}}{{/l}}{{/l}}{{/l}}", list(10_000))));
  }

  public void testSectionsWithoutEndAreTheRequestsFault() {
    int deep = 5_400;
    Map<String, Object> values = Map.of("a", true);
    try {
      assertEquals("", render("{{#a}}".repeat(deep) + "{{/a}}".repeat(deep), values));
    } catch (RuntimeException e) {
      assertEquals(RestStatus.BAD_REQUEST, ExceptionsHelper.status(e));
      assertThat(e.getMessage(), containsString("fewer sections"));
    }
  }

  public void testSearchTemplatesAreRefusedWithTheReason() {
    refuses(
        "limit",
        expectThrows(
            RuntimeException.class,
            () -> client().execute(SearchTemplateAction.INSTANCE, template(1_000)).actionGet()));
    assertEquals(0, metric("held"), 0);
  }

  public void testTemplatesOfOneRequestCountTogether() throws Exception {
    set("limit", "4mb");
    MultiSearchTemplateRequest request = new MultiSearchTemplateRequest();
    for (int i = 0; i < 50; i++) {
      request.add(template(20));
    }
    MultiSearchTemplateResponse response =
        client().execute(MultiSearchTemplateAction.INSTANCE, request).actionGet();
    int refused = 0;
    for (MultiSearchTemplateResponse.Item item : response.getResponses()) {
      if (item.isFailure()) {
        refuses("limit", item.getFailure());
        refused++;
      }
    }
    assertThat("8,000 values a template are allowed a few times", refused, greaterThan(30));
    assertTrue("the first one is answered", !response.getResponses()[0].isFailure());
    assertBusy(() -> assertEquals(0, metric("held"), 0));
  }

  public void testARequestOfWhichNoTemplateIsAllowedIsToldWhy() {
    MultiSearchTemplateRequest request = new MultiSearchTemplateRequest();
    request.add(template(1_000));
    refuses(
        "limit",
        expectThrows(
            RuntimeException.class,
            () -> client().execute(MultiSearchTemplateAction.INSTANCE, request).actionGet()));
  }

  public void testPipelinesCountForTheirBulk() throws Exception {
    client()
        .admin()
        .cluster()
        .putPipeline(
            new PutPipelineRequest(
                "loops",
                new BytesArray(
                    "{\"processors\":[{\"write\":{\"value\":"
                        + "\"{{#l}}{{#l}}{{#l}}some text{{/l}}{{/l}}{{/l}}\"}}]}"),
                XContentType.JSON))
        .actionGet();
    set("limit", "4mb");
    BulkRequest bulk = new BulkRequest();
    for (int i = 0; i < 50; i++) {
      bulk.add(new IndexRequest("logs").source(list(20)).setPipeline("loops"));
    }
    int refused = 0;
    for (BulkItemResponse item : client().bulk(bulk).actionGet()) {
      if (item.isFailed()) {
        assertThat(item.getFailureMessage(), containsString(feature().prefix() + ".limit"));
        assertEquals(RestStatus.TOO_MANY_REQUESTS, item.getFailure().getStatus());
        refused++;
      }
    }
    assertThat(refused, greaterThan(30));
    assertTrue(refused < 50);
    assertBusy(() -> assertEquals(0, metric("held"), 0));
  }

  public void testOffIsStock() {
    set("limit", "1kb");
    set("enabled", false);
    assertThat(render(LOOPS, list(20)).length(), greaterThan(80_000));
  }
}
