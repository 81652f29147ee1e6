package io.millrace.cli.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.client.Answer;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The index a run writes to: made when it does not exist and somebody knows its mapping. That is
 * the user ({@code --mapping}), else a template of the cluster, else, where every node runs
 * Millrace, what its profile suggests for logs, and only where none of them is to be had a mapping
 * of our own. An alias or a data stream of that name is left as it is.
 */
public final class TargetIndex {
  /** Fields that plain lines are taken apart into, for clusters without a template for the name. */
  private static final String OF_LINES =
      "{\"settings\":{\"auto_expand_replicas\":\"0-1\"},\"mappings\":{\"properties\":{"
          + "\"@timestamp\":{\"type\":\"date\"},\"level\":{\"type\":\"keyword\"},"
          + "\"host\":{\"type\":\"keyword\"},\"process\":{\"type\":\"keyword\"},"
          + "\"pid\":{\"type\":\"keyword\"},\"tag\":{\"type\":\"keyword\"},"
          + "\"client\":{\"type\":\"keyword\"},\"method\":{\"type\":\"keyword\"},"
          + "\"thread\":{\"type\":\"keyword\"},\"logger\":{\"type\":\"keyword\"},"
          + "\"vhost\":{\"type\":\"keyword\"},"
          + "\"layout\":{\"type\":\"keyword\",\"index\":false},"
          + "\"status\":{\"type\":\"short\"},\"bytes\":{\"type\":\"long\"},"
          + "\"file\":{\"type\":\"keyword\"},\"message\":{\"type\":\"text\"}}}}";

  /** What is asked for beside a template: a node alone is green, two have a copy each. */
  private static final String ON_TEMPLATE = "{\"settings\":{\"auto_expand_replicas\":\"0-1\"}}";

  private final ClusterClient cluster;
  private final String name;
  private final AtomicBoolean ready = new AtomicBoolean();

  /**
   * @param cluster where it is
   * @param name of the index, alias or data stream
   */
  public TargetIndex(ClusterClient cluster, String name) {
    this.cluster = cluster;
    this.name = name;
  }

  /**
   * Makes the index unless something of that name exists; only the first call of a run does.
   *
   * @param body settings and mappings, JSON
   * @param check what the user can look at when that fails
   * @throws ExpectedFailure when the cluster refuses
   */
  void create(String body, String check) {
    if (missing()) {
      put(body, check);
    }
  }

  /**
   * Makes the index unless something of that name exists: as the cluster's template for this name
   * says, or from a body where no template brings a mapping.
   *
   * @param body settings and mappings, JSON
   * @param check what the user can look at when that fails
   * @throws ExpectedFailure when the cluster refuses
   */
  public void createOnTemplateOr(String body, String check) {
    createOnTemplateOr(() -> body, check);
  }

  private void createOnTemplateOr(Supplier<String> body, String check) {
    if (!missing()) {
      return;
    }
    JsonNode template = template();
    if (template == null) {
      put(body.get(), check);
    } else if (!template.at("/settings/index").has("number_of_replicas")
        && !template.at("/settings/index").has("auto_expand_replicas")) {
      put(ON_TEMPLATE, check);
    }
    // else the first document creates it, as the template says
  }

  private boolean missing() {
    return ready.compareAndSet(false, true)
        && cluster.call("HEAD", "/" + name, null).status() != 200;
  }

  /** What the cluster's templates give an index of this name, or null if that is no mapping. */
  private @Nullable JsonNode template() {
    Answer answer = cluster.call("POST", "/_index_template/_simulate_index/" + name, "");
    JsonNode json = answer.status() == 200 ? answer.json() : null;
    JsonNode mappings = json == null ? null : json.at("/template/mappings");
    return json == null
            || mappings == null
            || (mappings.path("properties").isEmpty()
                && mappings.path("dynamic_templates").isEmpty())
        ? null
        : json.path("template");
  }

  private void put(String body, String check) {
    Answer answer = cluster.call("PUT", "/" + name, body);
    String reason = answer.reason();
    if (answer.status() >= 300
        && !reason.contains("already exists")
        && !reason.contains("creates data streams only")) {
      throw new ExpectedFailure(
          answer.status() == 400 ? ExitCode.USAGE : ExitCode.CLUSTER,
          "index " + name + " cannot be created: HTTP " + answer.status() + " " + reason,
          check);
    }
  }

  /** Makes the index for plain lines. */
  void createForLines() {
    createOnTemplateOr(this::ofLines, "Check --index.");
  }

  /** Lines are logs, whatever their index is called. */
  private String ofLines() {
    JsonNode node = found("/_millrace");
    if (node == null || !node.path("warnings").isEmpty()) {
      return OF_LINES; // a node without the plugin could not open the index
    }
    JsonNode suggested = found("/_millrace/profiles/logs");
    if (suggested != null
        && suggested.path("template") instanceof ObjectNode template
        && template.path("mappings").isObject()) {
      template.withObject("/settings").put("auto_expand_replicas", "0-1");
      return template.toString();
    }
    return OF_LINES;
  }

  private @Nullable JsonNode found(String path) {
    Answer answer = cluster.call("GET", path, null);
    return answer.status() == 200 ? answer.json() : null;
  }

  /**
   * What somebody should know whose events landed in an index as OpenSearch makes them, although
   * Millrace is there; null where there is nothing to say. Best effort.
   */
  @Nullable String hint() {
    try {
      Answer settings = cluster.call("GET", "/" + name + "/_settings?flat_settings=true", null);
      if (settings.status() != 200
          || settings.text().contains("\"index.millrace.profile\"")
          || cluster.call("GET", "/_millrace", null).status() != 200) {
        return null;
      }
    } catch (ExpectedFailure e) {
      return null;
    }
    return name
        + " has no profile and is stored as on OpenSearch, about three times as large as need be:"
        + " --index logs-... has one, and GET /_millrace/profiles/logs suggests a template";
  }

  /** So that a search right after the run finds everything, best effort. */
  void refresh() {
    try {
      cluster.call("POST", "/" + name + "/_refresh", "");
    } catch (ExpectedFailure e) {
      // the index refreshes by itself within a second
    }
  }
}
