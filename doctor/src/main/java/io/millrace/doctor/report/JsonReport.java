package io.millrace.doctor.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.doctor.catalogue.Examination;
import io.millrace.doctor.finding.Call;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.snapshot.Json;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.List;

/** For scripts; its keys do not change. */
final class JsonReport {
  private JsonReport() {}

  static String write(Examination examination, String url) {
    return tree(examination, url).toPrettyString() + "\n";
  }

  static ObjectNode tree(Examination examination, String url) {
    Snapshot snapshot = examination.snapshot();
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.put("url", url).put("product", snapshot.product().toString());
    json.put("taken", snapshot.taken().toString()).put("window_ms", snapshot.windowMillis());
    json.put("nodes", snapshot.nodes().size()).put("indices", snapshot.indices().size());
    json.put("shards", snapshot.shards().size()).put("checks", examination.looked());
    ObjectNode blind = json.putObject("blind");
    examination.blind().forEach(blind::put);
    ArrayNode findings = json.putArray("findings");
    examination.findings().forEach(finding -> findings.add(finding(finding)));
    return json;
  }

  private static ObjectNode finding(Finding finding) {
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.put("check", finding.check().id()).put("severity", finding.severity().text());
    json.put("title", finding.check().title()).put("what", finding.what());
    finding.subjects().forEach(json.putArray("subjects")::add);
    ArrayNode evidence = json.putArray("evidence");
    finding
        .evidence()
        .forEach(e -> evidence.addObject().put("path", e.path()).put("value", e.value()));
    json.put("why", finding.check().why()).put("source", finding.check().source());
    ObjectNode fix = json.putObject("fix");
    calls(fix.putArray("calls"), finding.fix().calls());
    fix.put("config", finding.fix().config()).put("advice", finding.fix().advice());
    json.put("effect", finding.check().effect());
    ObjectNode undo = json.putObject("undo");
    calls(undo.putArray("calls"), finding.fix().undo());
    undo.put("advice", finding.fix().undoAdvice());
    return json;
  }

  private static void calls(ArrayNode to, List<Call> calls) {
    for (Call call : calls) {
      ObjectNode json = to.addObject().put("method", call.method()).put("path", call.path());
      json.put("body", call.body());
    }
  }
}
