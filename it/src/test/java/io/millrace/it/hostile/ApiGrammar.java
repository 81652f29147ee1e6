package io.millrace.it.hostile;

import static io.millrace.it.hostile.HostileRequest.object;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A rule for every API that OpenSearch describes (the same descriptions that its own REST tests
 * use), with paths, methods and parameters read from there and taken to their ends, and for every
 * API of Millrace. Nobody has to remember to add one.
 */
final class ApiGrammar {
  private static final String SPECS = "rest-api-spec/api/";
  private static final int LONGEST_URL = 3_500;

  /**
   * What changes the whole node or what is measured: settings of the cluster, where shards are, and
   * which indices exist under any name.
   */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "cluster.put_settings",
          "cluster.reroute",
          "cluster.put_decommission_awareness",
          "cluster.put_weighted_routing",
          "cluster.post_voting_config_exclusions");

  /** What writes, though a client may send it by POST. */
  private static final Set<String> WRITES =
      Set.of("bulk", "create", "index", "update", "delete_by_query", "update_by_query");

  private static final List<String> OF_MILLRACE =
      List.of(
          "/_millrace",
          "/_millrace/stats",
          "/_millrace/searches",
          "/_millrace/columns",
          "/" + Choices.INDEX + "/_millrace/columns",
          "/_millrace/freshness",
          "/_millrace/balance",
          "/_millrace/profiles",
          "/_millrace/explore",
          "/_millrace/access/whoami",
          "/_prometheus/metrics",
          "/_cat/millrace",
          "/v1/logs",
          "/v1/traces",
          "/loki/api/v1/push");

  private final Choices choices;
  private final Supplier<Map<String, Object>> searches;
  private final Map<String, JsonNode> specs = new TreeMap<>();

  /**
   * @param searches bodies of searches
   */
  ApiGrammar(Choices choices, Supplier<Map<String, Object>> searches) {
    this.choices = choices;
    this.searches = searches;
    for (String name : names()) {
      JsonNode spec = read(SPECS + name + ".json").path(name);
      if (!spec.isMissingNode() && !LEFT_OUT.contains(name)) {
        specs.put(name, spec);
      }
    }
  }

  /** The rules, by name. */
  Map<String, Supplier<HostileRequest>> rules() {
    Map<String, Supplier<HostileRequest>> rules = new LinkedHashMap<>();
    specs.forEach((name, spec) -> rules.put("api " + name, () -> request(name, spec)));
    for (String path : OF_MILLRACE) {
      rules.put(
          "millrace " + path,
          () ->
              HostileRequest.of(
                  "millrace " + path,
                  choices.any("GET", "POST"),
                  path,
                  choices.oneOf(3) ? null : body()));
    }
    return rules;
  }

  private static List<String> names() {
    try (Stream<Path> files =
        Files.list(
            Path.of(
                Objects.requireNonNull(
                        ApiGrammar.class.getClassLoader().getResource(SPECS),
                        "the descriptions are unpacked by the build of this module")
                    .toURI()))) {
      return files
          .map(file -> file.getFileName().toString().replace(".json", ""))
          .filter(name -> !name.startsWith("_"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode read(String resource) {
    try (InputStream in = ApiGrammar.class.getClassLoader().getResourceAsStream(resource)) {
      return JsonHttp.MAPPER.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HostileRequest request(String name, JsonNode spec) {
    JsonNode paths = spec.at("/url/paths");
    JsonNode path = paths.get(choices.random.nextInt(paths.size()));
    JsonNode methods = path.path("methods");
    String method = methods.get(choices.random.nextInt(methods.size())).asText();
    boolean writes = WRITES.contains(name) || !(method.equals("GET") || name.contains("search"));
    String url = path.path("path").asText();
    for (String part : names(path.path("parts"))) {
      url = url.replace("{" + part + "}", part(part, writes));
    }
    StringBuilder query = new StringBuilder();
    JsonNode parameters = spec.path("params");
    for (String parameter : names(parameters)) {
      if (choices.oneOf(3)) {
        String value = value(parameters.path(parameter));
        query.append(query.isEmpty() ? '?' : '&').append(parameter).append('=').append(value);
      }
    }
    boolean bodied = spec.has("body") && !method.equals("HEAD");
    return HostileRequest.of("api " + name, method, url + query, bodied ? body() : null);
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private String part(String name, boolean writes) {
    return switch (name) {
      case "index", "target", "new_index" ->
          writes
              ? Choices.SCRATCH
              : choices.any(Choices.INDEX, "*", Choices.SCRATCH, list(Choices.INDEX, 100));
      case "alias", "block" -> choices.any("read", "hostile-alias");
      case "metric", "fields", "field" -> choices.any("_all", "*", choices.field());
      case "node_id" -> choices.any("_all", "_local", list("_local", 300));
      default -> "hostile-" + choices.random.nextInt(20);
    };
  }

  private String list(String one, int most) {
    return encoded(
        String.join(",", choices.list(most, i -> one).stream().map(Object::toString).toList()));
  }

  private static String encoded(String value) {
    String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8);
    return encoded.substring(0, Math.min(encoded.length(), LONGEST_URL));
  }

  private String value(JsonNode parameter) {
    return switch (parameter.path("type").asText()) {
      case "boolean" -> choices.any("true", "false");
      case "int", "number", "long" -> "" + choices.many();
      case "time" -> choices.any("1ms", "1s", "3s");
      case "enum" -> {
        JsonNode options = parameter.path("options");
        yield options.isEmpty()
            ? "all"
            : encoded(options.get(choices.random.nextInt(options.size())).asText("all"));
      }
      case "list" -> choices.any("*", "_all", list(choices.field(), 50));
      default -> encoded(choices.any("*", choices.word(), choices.field(), "*".repeat(500)));
    };
  }

  private @Nullable Object body() {
    return switch (choices.random.nextInt(8)) {
      case 0 -> Map.of();
      case 1 -> deep(choices.any(10, 100, 900));
      case 2 -> wide(choices.any(10, 1_000, 50_000));
      case 3 -> object("docs", choices.list(choices.listed(), i -> Map.of("_id", "" + i)));
      case 4 -> object("text", choices.words(choices.any(10, 100_000)));
      case 5 ->
          Map.of(
              "query", Map.of("match_all", Map.of()),
              "script", object("source", choices.script("0")),
              "source", object("index", Choices.INDEX),
              "dest", object("index", Choices.SCRATCH));
      default -> searches.get();
    };
  }

  private static Map<String, Object> deep(int levels) {
    Map<String, Object> value = object("a", "end");
    for (int i = 1; i < levels; i++) {
      value = object(i % 2 == 0 ? "a" : "properties", value);
    }
    return value;
  }

  private Map<String, Object> wide(int members) {
    Map<String, Object> value = new LinkedHashMap<>();
    for (int i = 0; i < members; i++) {
      value.put("f" + choices.random.nextInt(1_000_000), choices.word());
    }
    return value;
  }
}
