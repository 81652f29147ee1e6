package io.millrace.pipelines.otlp;

import com.google.protobuf.CodedOutputStream;
import io.millrace.pipelines.intake.MalformedBodyException;
import io.millrace.pipelines.otlp.Schema.Field;
import io.millrace.pipelines.otlp.Schema.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.HexFormat;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;

/**
 * Turns a body in OTLP's JSON into the same message in protobuf, so that everything behind it knows
 * one form only and both give the same documents.
 */
final class JsonToWire {
  /** Messages inside each other; a body of a real sender has ten. */
  static final int DEEPEST = 100;

  private JsonToWire() {}

  /**
   * The message in protobuf.
   *
   * @throws MalformedBodyException naming the field and the place
   */
  static byte[] wire(byte[] json, Message type) throws IOException {
    try (XContentParser parser =
        XContentType.JSON
            .xContent()
            .createParser(
                NamedXContentRegistry.EMPTY,
                DeprecationHandler.THROW_UNSUPPORTED_OPERATION,
                json)) {
      if (parser.nextToken() != Token.START_OBJECT) {
        throw new MalformedBodyException("the body is no JSON object");
      }
      byte[] wire = message(parser, type, 0);
      if (parser.nextToken() != null) {
        throw new MalformedBodyException("something follows the JSON object");
      }
      return wire;
    } catch (MalformedBodyException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new MalformedBodyException("the body is no JSON: " + e.getMessage(), e);
    }
  }

  private static byte[] message(XContentParser parser, Message type, int depth) throws IOException {
    if (depth > DEEPEST) {
      throw new MalformedBodyException("more than [" + DEEPEST + "] objects inside each other");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    while (parser.nextToken() != Token.END_OBJECT) {
      String name = parser.currentName();
      Field field = type.field(name);
      Token token = parser.nextToken();
      if (token == Token.VALUE_NULL) {
        continue;
      }
      if (field == null) {
        parser.skipChildren(); // OTLP: what is unknown is ignored
      } else if (token == Token.START_ARRAY) {
        if (!field.repeated()) {
          throw wrong(name, "is a list; give one value", parser);
        }
        while (parser.nextToken() != Token.END_ARRAY) {
          value(parser, name, field, out, depth);
        }
      } else if (field.repeated()) {
        throw wrong(name, "is no list", parser);
      } else {
        value(parser, name, field, out, depth);
      }
    }
    out.flush();
    return bytes.toByteArray();
  }

  private static void value(
      XContentParser parser, String name, Field field, CodedOutputStream out, int depth)
      throws IOException {
    Message message = field.message();
    if (message != null) {
      if (parser.currentToken() != Token.START_OBJECT) {
        throw wrong(name, "is no object", parser);
      }
      out.writeByteArray(field.number(), message(parser, message, depth + 1));
      return;
    }
    if (!parser.currentToken().isValue()) {
      throw wrong(name, "is no value", parser);
    }
    try {
      scalar(parser, field, out);
    } catch (IllegalArgumentException e) {
      throw wrong(name, "is [" + brief(parser.text()) + "]: " + e.getMessage(), parser);
    }
  }

  private static void scalar(XContentParser parser, Field field, CodedOutputStream out)
      throws IOException {
    int number = field.number();
    switch (field.kind()) {
      case STRING -> out.writeString(number, parser.text());
      case HEX -> out.writeByteArray(number, HexFormat.of().parseHex(parser.text()));
      case BASE64 -> out.writeByteArray(number, base64(parser.text()));
      case FIXED64 -> out.writeFixed64(number, Long.parseUnsignedLong(parser.text()));
      case FIXED32 -> out.writeFixed32(number, (int) Long.parseLong(parser.text()));
      case VARINT -> out.writeInt64(number, Long.parseLong(parser.text()));
      case BOOL -> out.writeBool(number, parser.booleanValue());
      case DOUBLE -> out.writeDouble(number, Double.parseDouble(parser.text()));
      case MESSAGE -> throw new IllegalStateException("a message is no scalar");
    }
  }

  /** JSON of protobuf may have either alphabet of base64. */
  private static byte[] base64(String text) {
    return Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/'));
  }

  private static String brief(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }

  private static MalformedBodyException wrong(String name, String what, XContentParser parser) {
    return new MalformedBodyException(
        "[" + name + "] " + what + " (line:column " + parser.getTokenLocation() + ")");
  }
}
