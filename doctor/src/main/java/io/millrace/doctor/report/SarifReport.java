package io.millrace.doctor.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.doctor.catalogue.Examination;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.snapshot.Json;

/**
 * SARIF 2.1.0 (OASIS), for viewers and pipelines that read it. A cluster has no files, so the place
 * of a finding is the API path of its evidence, and its nodes and indices are logical locations.
 */
final class SarifReport {
  private SarifReport() {}

  static String write(Examination examination, String url) {
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.put("$schema", "https://json.schemastore.org/sarif-2.1.0.json").put("version", "2.1.0");
    ObjectNode run = json.putArray("runs").addObject();
    ObjectNode driver = run.putObject("tool").putObject("driver");
    driver.put("name", "millrace doctor");
    ArrayNode rules = driver.putArray("rules");
    ArrayNode results = run.putArray("results");
    for (Finding finding : examination.findings()) {
      ObjectNode rule = rules.addObject().put("id", finding.check().id());
      rule.putObject("shortDescription").put("text", finding.check().title());
      rule.putObject("fullDescription").put("text", finding.check().why());
      rule.putObject("help").put("text", help(finding, url));
      results.add(result(finding, rules.size() - 1));
    }
    return json.toPrettyString() + "\n";
  }

  private static ObjectNode result(Finding finding, int rule) {
    ObjectNode result = Json.MAPPER.createObjectNode();
    result.put("ruleId", finding.check().id()).put("ruleIndex", rule);
    result.put("level", finding.severity().sarif());
    StringBuilder text = new StringBuilder(finding.what());
    finding
        .evidence()
        .forEach(e -> text.append('\n').append(e.path()).append(" = ").append(e.value()));
    result.putObject("message").put("text", text.toString());
    ObjectNode location = result.putArray("locations").addObject();
    location.putObject("physicalLocation").putObject("artifactLocation").put("uri", place(finding));
    ArrayNode logical = location.putArray("logicalLocations");
    finding.subjects().stream()
        .limit(100)
        .forEach(subject -> logical.addObject().put("name", subject).put("kind", "resource"));
    return result;
  }

  /** A relative URI: the path of the first request in the evidence. */
  private static String place(Finding finding) {
    String path = finding.evidence().isEmpty() ? "" : finding.evidence().getFirst().path();
    String request = path.startsWith("GET /") ? path.substring(5).split("[: ?]", 2)[0] : "";
    return request.isEmpty() ? "_cluster" : request.replaceAll("[^\\w./,*-]", "_");
  }

  private static String help(Finding finding, String url) {
    StringBuilder text = new StringBuilder();
    Fix fix = finding.fix();
    if (fix.advice() != null) {
      text.append(fix.advice()).append('\n');
    }
    fix.calls().forEach(call -> text.append(call.curl(url)).append('\n'));
    if (fix.config() != null) {
      text.append(fix.config()).append('\n');
    }
    fix.undo().forEach(call -> text.append("Undo: ").append(call.curl(url)).append('\n'));
    return text.append("Source: ").append(finding.check().source()).toString();
  }
}
