package io.millrace.it.skywalking;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.http.JsonHttp;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** The GraphQL queries that SkyWalking's UI sends for the pages of services, traces and logs. */
final class UiQueries {
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HHmm").withZone(ZoneOffset.UTC);

  private static final String TRACES =
      "query q($c: TraceQueryCondition) {queryBasicTraces(condition: $c)"
          + " {traces {segmentId endpointNames duration start isError traceIds}}}";
  private static final String TRACE =
      "query q($id: ID!) {queryTrace(traceId: $id) {spans {traceId segmentId spanId parentSpanId"
          + " refs {traceId parentSegmentId parentSpanId type} serviceCode serviceInstanceName"
          + " startTime endTime endpointName type peer component isError layer tags {key value}"
          + " logs {time data {key value}}}}}";
  private static final String LOGS =
      "query q($c: LogQueryCondition) {queryLogs(condition: $c) {errorReason"
          + " logs {serviceName serviceInstanceName traceId timestamp contentType content"
          + " tags {key value}}}}";

  private final String duration;

  /**
   * @param first milliseconds since 1970; the queries are about the minutes from here
   * @param last until here
   */
  UiQueries(long first, long last) {
    this.duration =
        "{\"start\":\"%s\",\"end\":\"%s\",\"step\":\"MINUTE\"}"
            .formatted(
                MINUTE.format(Instant.ofEpochMilli(first)),
                MINUTE.format(Instant.ofEpochMilli(last)));
  }

  /**
   * What OAP answers.
   *
   * @return the value of {@code data}
   * @throws AssertionError when there is none, or errors
   */
  static JsonNode ask(JsonHttp oap, String query) {
    JsonNode answer = oap.post("/graphql", query).ok().json();
    if (answer.has("errors")) {
      throw new AssertionError(query + " -> " + answer);
    }
    return answer.path("data");
  }

  /** OAP's id of a service with an agent. */
  static String service(String name) {
    return Base64.getEncoder().encodeToString(name.getBytes(UTF_8)) + ".1";
  }

  /** OAP's id of an endpoint of a service. */
  static String endpoint(String service, String name) {
    return service(service) + "_" + Base64.getEncoder().encodeToString(name.getBytes(UTF_8));
  }

  /** Calls per minute of a service, as a line of the UI shows them. */
  String calls(String service) {
    return query(
        "query q($d: Duration!) {execExpression(expression: \\\"service_cpm\\\", duration: $d,"
            + " entity: {serviceName: \\\""
            + service
            + "\\\", normal: true}) {error results {values {id value}}}}",
        "{\"d\":" + duration + "}");
  }

  /** How many calls of a service OAP's metrics have counted in all of the minutes. */
  int callsIn(JsonHttp oap, String service) {
    int calls = 0;
    for (JsonNode value : ask(oap, calls(service)).at("/execExpression/results/0/values")) {
      calls += value.path("value").asInt();
    }
    return calls;
  }

  /** A trace by its id. */
  static String trace(String id) {
    return query(TRACE, "{\"id\":\"" + id + "\"}");
  }

  /**
   * A page of the list of traces.
   *
   * @param condition more members of the condition, as JSON, each with a comma behind it
   */
  String traces(String order, int page, String condition) {
    return query(
        TRACES,
        ("{\"c\":{%s\"queryDuration\":%s,\"queryOrder\":\"%s\","
                + "\"paging\":{\"pageNum\":%d,\"pageSize\":20}}}")
            .formatted(condition, duration, order, page));
  }

  private String logs(String condition) {
    return query(
        LOGS,
        "{\"c\":{%s\"queryDuration\":%s,\"queryOrder\":\"DES\",\"paging\":{\"pageNum\":1,\"pageSize\":30}}}"
            .formatted(condition, duration));
  }

  /** Every query of the comparison under a name of its own. */
  Map<String, String> all() {
    Map<String, String> all = new LinkedHashMap<>();
    String d = "{\"d\":" + duration + "}";
    String gateway = service("shop-gateway");
    String orders = service("shop-orders");
    all.put("layers", query("{listLayers}", "{}"));
    all.put(
        "services",
        query("{listServices(layer: \\\"GENERAL\\\") {id name group layers normal}}", "{}"));
    all.put(
        "databases",
        query("{listServices(layer: \\\"VIRTUAL_DATABASE\\\") {id name layers normal}}", "{}"));
    all.put(
        "instances",
        query(
            "query q($d: Duration!) {listInstances(duration: $d, serviceId: \\\""
                + orders
                + "\\\") {id name}}",
            d));
    all.put("endpoints", endpoints(gateway, ""));
    all.put("endpoints named", endpoints(gateway, "orders"));
    all.put("calls of the gateway", calls("shop-gateway"));
    all.put("calls of the billing", calls("shop-billing"));
    all.put(
        "topology",
        query(
            "query q($d: Duration!) {getGlobalTopology(duration: $d)"
                + " {nodes {id name type isReal} calls {id source target detectPoints}}}",
            d));
    all.put(
        "tag keys",
        query("query q($d: Duration!) {queryTraceTagAutocompleteKeys(duration: $d)}", d));
    all.put(
        "tag values",
        query(
            "query q($d: Duration!) {queryTraceTagAutocompleteValues(tagKey:"
                + " \\\"http.status_code\\\", duration: $d)}",
            d));
    traces(all, gateway, orders);
    all.put("logs", logs("\"serviceId\":\"" + gateway + "\","));
    all.put("logs by tag", logs("\"tags\":[{\"key\":\"level\",\"value\":\"ERROR\"}],"));
    all.put("logs by word", logs("\"keywordsOfContent\":[\"served\"],"));
    return all;
  }

  private void traces(Map<String, String> all, String gateway, String orders) {
    String any = "\"traceState\":\"ALL\",";
    String of = any + "\"serviceId\":\"" + gateway + "\",";
    all.put("traces newest first", traces("BY_START_TIME", 1, of));
    all.put("traces slowest first", traces("BY_DURATION", 1, of));
    all.put("traces, third page", traces("BY_DURATION", 3, of));
    all.put(
        "traces by duration",
        traces("BY_START_TIME", 1, of + "\"minTraceDuration\":100,\"maxTraceDuration\":130,"));
    all.put(
        "traces with an error",
        traces("BY_START_TIME", 1, "\"traceState\":\"ERROR\",\"serviceId\":\"" + orders + "\","));
    all.put(
        "traces without an error",
        traces("BY_DURATION", 1, "\"traceState\":\"SUCCESS\",\"serviceId\":\"" + gateway + "\","));
    all.put(
        "traces by tag",
        traces(
            "BY_START_TIME",
            1,
            of + "\"tags\":[{\"key\":\"http.status_code\",\"value\":\"500\"}],"));
    all.put(
        "traces by endpoint",
        traces(
            "BY_START_TIME",
            1,
            any + "\"endpointId\":\"" + endpoint("shop-gateway", "GET:/carts/{id}") + "\","));
  }

  private static String endpoints(String service, String keyword) {
    return query(
        "{findEndpoint(serviceId: \\\"%s\\\", keyword: \\\"%s\\\", limit: 100) {id name}}"
            .formatted(service, keyword),
        "{}");
  }

  private static String query(String text, String variables) {
    return "{\"query\":\"" + text + "\",\"variables\":" + variables + "}";
  }

  /** Whether the answer says anything: a list that it is, or one of its lists, is not empty. */
  static boolean says(JsonNode data) {
    for (JsonNode answer : data) {
      if (answer.isArray()) {
        return !answer.isEmpty();
      }
      for (JsonNode part : answer) {
        if (part.isArray() && !part.isEmpty()) {
          return true;
        }
      }
    }
    return false;
  }
}
