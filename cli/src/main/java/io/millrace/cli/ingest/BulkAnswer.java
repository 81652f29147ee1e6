package io.millrace.cli.ingest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the answer to a bulk request item by item: status and, where one failed, type and reason.
 * Streaming, because ten thousand items make a tree of a hundred thousand nodes.
 */
final class BulkAnswer {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * One item's outcome.
   *
   * @param status HTTP-like status of the item
   * @param type the error's type, or null when the item went in
   * @param reason the error's reason with the innermost cause, or null
   */
  record Item(int status, @Nullable String type, @Nullable String reason) {
    boolean done() {
      return status >= 200 && status < 300;
    }

    /** Worth sending again: the cluster was busy, blocked or about to elect a primary. */
    boolean temporary() {
      return status == 429
          || status == 502
          || status == 503
          || status == 504
          || "cluster_block_exception".equals(type)
          || "process_cluster_event_timeout_exception".equals(type);
    }
  }

  private static final Item OK = new Item(201, null, null);

  private BulkAnswer() {}

  /**
   * @throws IOException when this is no bulk answer
   */
  static List<Item> parse(byte[] body) throws IOException {
    List<Item> items = new ArrayList<>();
    try (JsonParser parser = JSON.createParser(body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("not a JSON object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        if (name.equals("items")) {
          while (parser.nextToken() == JsonToken.START_OBJECT) {
            parser.nextToken();
            parser.nextToken();
            items.add(item(parser));
            parser.nextToken();
          }
        } else {
          parser.skipChildren();
        }
      }
    }
    return items;
  }

  private static Item item(JsonParser parser) throws IOException {
    int status = 0;
    String type = null;
    String reason = null;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      if (name.equals("status")) {
        status = parser.getIntValue();
      } else if (name.equals("error") && parser.currentToken() == JsonToken.START_OBJECT) {
        String[] error = error(parser);
        type = error[0];
        reason = error[1];
      } else {
        parser.skipChildren();
      }
    }
    return status == 201 && type == null ? OK : new Item(status, type, reason);
  }

  /** Type and reason; a cause's reason is appended because it names the field or the value. */
  private static String[] error(JsonParser parser) throws IOException {
    String type = "error";
    String reason = "";
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (name.equals("type")) {
        type = parser.getText();
      } else if (name.equals("reason") && value == JsonToken.VALUE_STRING) {
        reason = parser.getText();
      } else if (name.equals("caused_by") && value == JsonToken.START_OBJECT) {
        String cause = error(parser)[1];
        if (!cause.isEmpty() && !reason.contains(cause)) {
          reason = reason + ": " + cause;
        }
      } else {
        parser.skipChildren();
      }
    }
    return new String[] {type, reason};
  }
}
