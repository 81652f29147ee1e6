package io.millrace.testkit.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

/**
 * What a node answered.
 *
 * @param request method and path, for messages
 * @param status the HTTP status code
 * @param body the body as text; empty for HEAD
 */
public record JsonAnswer(String request, int status, String body) {

  /**
   * This answer, if its status is below 300.
   *
   * @throws AssertionError otherwise, with the request, the status and the body
   */
  public JsonAnswer ok() {
    if (status >= 300) {
      throw new AssertionError(this);
    }
    return this;
  }

  /**
   * The body as JSON; a missing node when the body is empty.
   *
   * @throws AssertionError when the body is not JSON
   */
  public JsonNode json() {
    if (body.isEmpty()) {
      return MissingNode.getInstance();
    }
    try {
      return JsonHttp.MAPPER.readTree(body);
    } catch (JsonProcessingException e) {
      throw new AssertionError("not JSON: " + this, e);
    }
  }

  /**
   * The value at a JSON pointer, for example {@code /hits/total/value}.
   *
   * @throws AssertionError when the answer has no such value
   */
  public JsonNode at(String pointer) {
    JsonNode value = json().at(pointer);
    if (value.isMissingNode()) {
      throw new AssertionError("no " + pointer + " in " + this);
    }
    return value;
  }

  @Override
  public String toString() {
    String shown = body.length() > 4000 ? body.substring(0, 4000) + "..." : body;
    return request + " -> " + status + " " + shown;
  }
}
