package io.millrace.it.twins;

import static io.millrace.it.twins.Draw.object;

import java.util.Map;

/** Requests that write: documents, updates of every kind, deletes, and writes by query. */
final class TwinWrites {
  private final Draw draw;
  private final TwinTexts texts;
  private final TwinIndices indices;
  private int order;

  TwinWrites(Draw draw, TwinTexts texts) {
    this.draw = draw;
    this.texts = texts;
    indices = new TwinIndices(draw, texts);
  }

  /** A bulk of so many documents under new ids; nothing is replaced. */
  TwinRequest append(int documents) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < documents; i++) {
      lines.append("{\"create\":{\"_id\":\"d").append(order).append("\"}}\n");
      lines.append(Draw.json(indices.document(order++))).append('\n');
    }
    return new TwinRequest("POST", "/#/_bulk", lines.toString());
  }

  /** A request that may replace or delete. */
  TwinRequest next() {
    String id = TwinRequest.id(draw);
    indices.immense = true;
    return switch (draw.below(12)) {
      case 0, 1 -> TwinRequest.of("PUT", "/#/_doc/" + id, indices.document(order++));
      case 2 -> TwinRequest.of("PUT", "/#/_create/" + id, indices.document(order++));
      case 3 -> TwinRequest.of("DELETE", "/#/_doc/" + id, null);
      case 4, 5, 6 -> TwinRequest.of("POST", "/#/_update/" + id + "?_source=true", update());
      case 7 ->
          TwinRequest.of(
              "POST",
              "/#/_update_by_query?refresh=true",
              object(
                  "query",
                  narrow(),
                  "script",
                  object(
                      "source", "ctx._source.message = 'updated ' + ctx._source.message + ' 7'")));
      case 8 ->
          TwinRequest.of("POST", "/#/_delete_by_query?refresh=true", object("query", narrow()));
      default -> bulk();
    };
  }

  private Map<String, Object> narrow() {
    return draw.any(
        object("match_phrase", object("message", texts.cut(4) + " " + draw.below(9))),
        object("term", object("span_id", texts.id())),
        object("range", object("order", object("gte", order - 20, "lt", order - 17))));
  }

  private Map<String, Object> update() {
    Map<String, Object> body =
        switch (draw.below(4)) {
          case 0 -> object("doc", object("message", texts.message()));
          case 1 -> object("doc", indices.document(order++), "doc_as_upsert", true);
          case 2 ->
              object(
                  "script",
                  object(
                      "source",
                      draw.any(
                          "ctx._source.trace_id = params.id",
                          "ctx.op = ctx._source.n == null ? 'none' : 'delete'",
                          "ctx._source.message = [ctx._source.message, params.id]",
                          "ctx._source.remove('message')",
                          "ctx._source.n = 'no number'"),
                      "params",
                      object("id", texts.id())),
                  "upsert",
                  indices.document(order++));
          default -> object("doc", object("host", "host-1"));
        };
    return draw.with(body, 4, "detect_noop", false);
  }

  private TwinRequest bulk() {
    StringBuilder lines = new StringBuilder();
    for (int i = 1 + draw.below(30); i > 0; i--) {
      String id = TwinRequest.id(draw);
      String action = draw.any("index", "index", "create", "update", "delete");
      lines.append("{\"").append(action).append("\":{\"_id\":\"").append(id).append("\"}}\n");
      if (action.equals("update")) {
        lines.append(Draw.json(update())).append('\n');
      } else if (!action.equals("delete")) {
        lines.append(Draw.json(indices.document(order++))).append('\n');
      }
    }
    return new TwinRequest("POST", "/#/_bulk", lines.toString());
  }
}
