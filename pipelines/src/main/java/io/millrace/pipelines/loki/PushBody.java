package io.millrace.pipelines.loki;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.millrace.pipelines.intake.MalformedBodyException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;

/** The streams of a push request, from either form. */
final class PushBody {
  /**
   * A line.
   *
   * @param nanos since the epoch
   * @param metadata Loki's structured metadata of the line
   */
  record Entry(long nanos, String line, Map<String, String> metadata) {}

  /** Lines with the same labels. */
  record Stream(Map<String, String> labels, List<Entry> entries) {}

  private static final int FIELD_1 = 1 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  private static final int FIELD_2 = 2 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  private static final int FIELD_3 = 3 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  private static final int NUMBER_1 = 1 << 3 | WireFormat.WIRETYPE_VARINT;
  private static final int NUMBER_2 = 2 << 3 | WireFormat.WIRETYPE_VARINT;

  private PushBody() {}

  /**
   * Reads {@code logproto.PushRequest}, after Snappy.
   *
   * @throws MalformedBodyException when it is none
   */
  static List<Stream> protobuf(byte[] wire) throws IOException {
    try {
      List<Stream> streams = new ArrayList<>();
      CodedInputStream in = CodedInputStream.newInstance(wire);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (tag == FIELD_1) {
          int limit = in.pushLimit(in.readRawVarint32());
          streams.add(stream(in));
          in.popLimit(limit);
        } else {
          in.skipField(tag);
        }
      }
      return streams;
    } catch (MalformedBodyException e) {
      throw e;
    } catch (IOException e) {
      throw new MalformedBodyException("the body is no push request: " + e.getMessage(), e);
    }
  }

  private static Stream stream(CodedInputStream in) throws IOException {
    String labels = "{}";
    List<Entry> entries = new ArrayList<>();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == FIELD_1) {
        labels = in.readString();
      } else if (tag == FIELD_2) {
        int limit = in.pushLimit(in.readRawVarint32());
        entries.add(entry(in));
        in.popLimit(limit);
      } else {
        in.skipField(tag);
      }
    }
    return new Stream(LabelSet.parse(labels), entries);
  }

  private static Entry entry(CodedInputStream in) throws IOException {
    long nanos = 0;
    String line = "";
    Map<String, String> metadata = Map.of();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == FIELD_1) {
        int limit = in.pushLimit(in.readRawVarint32());
        nanos = time(in);
        in.popLimit(limit);
      } else if (tag == FIELD_2) {
        line = in.readString();
      } else if (tag == FIELD_3) {
        int limit = in.pushLimit(in.readRawVarint32());
        metadata = metadata.isEmpty() ? new LinkedHashMap<>() : metadata;
        pair(in, metadata);
        in.popLimit(limit);
      } else {
        in.skipField(tag);
      }
    }
    return new Entry(nanos, line, metadata);
  }

  private static long time(CodedInputStream in) throws IOException {
    long seconds = 0;
    int nanos = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == NUMBER_1) {
        seconds = in.readInt64();
      } else if (tag == NUMBER_2) {
        nanos = in.readInt32();
      } else {
        in.skipField(tag);
      }
    }
    return seconds * 1_000_000_000 + nanos;
  }

  private static void pair(CodedInputStream in, Map<String, String> into) throws IOException {
    String name = "";
    String value = "";
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == FIELD_1) {
        name = in.readString();
      } else if (tag == FIELD_2) {
        value = in.readString();
      } else {
        in.skipField(tag);
      }
    }
    into.put(name, value);
  }

  /**
   * Reads {@code {"streams":[{"stream":{...},"values":[["<nanoseconds>","<line>",{...}]]}]}}.
   *
   * @throws MalformedBodyException naming what is wrong
   */
  static List<Stream> json(byte[] body) throws IOException {
    try (XContentParser parser =
        XContentType.JSON
            .xContent()
            .createParser(
                NamedXContentRegistry.EMPTY,
                DeprecationHandler.THROW_UNSUPPORTED_OPERATION,
                body)) {
      require(parser.nextToken() == Token.START_OBJECT, "the body is no JSON object");
      List<Stream> streams = new ArrayList<>();
      while (parser.nextToken() != Token.END_OBJECT) {
        boolean known = parser.currentName().equals("streams");
        Token token = parser.nextToken();
        if (!known) {
          parser.skipChildren();
          continue;
        }
        require(token == Token.START_ARRAY, "[streams] is no list");
        while (parser.nextToken() != Token.END_ARRAY) {
          require(parser.currentToken() == Token.START_OBJECT, "[streams] holds no object");
          streams.add(stream(parser));
        }
      }
      require(parser.nextToken() == null, "something follows the JSON object");
      return streams;
    } catch (MalformedBodyException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new MalformedBodyException("the body is no JSON: " + e.getMessage(), e);
    }
  }

  private static Stream stream(XContentParser parser) throws IOException {
    Map<String, String> labels = Map.of();
    List<Entry> entries = new ArrayList<>();
    while (parser.nextToken() != Token.END_OBJECT) {
      String name = parser.currentName();
      Token token = parser.nextToken();
      switch (name) {
        case "stream" -> {
          require(token == Token.START_OBJECT, "[stream] is no object");
          labels = parser.mapStrings();
        }
        case "values" -> {
          require(token == Token.START_ARRAY, "[values] is no list");
          while (parser.nextToken() != Token.END_ARRAY) {
            require(parser.currentToken() == Token.START_ARRAY, "[values] holds no list");
            entries.add(entry(parser));
          }
        }
        default -> parser.skipChildren();
      }
    }
    return new Stream(labels, entries);
  }

  private static Entry entry(XContentParser parser) throws IOException {
    require(parser.nextToken() == Token.VALUE_STRING, "a time in [values] is no string");
    String text = parser.text();
    long nanos;
    try {
      nanos = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new MalformedBodyException(
          "a time in [values] is ["
              + (text.length() <= 60 ? text : text.substring(0, 60) + "…")
              + "]; give nanoseconds since the epoch",
          e);
    }
    require(parser.nextToken() == Token.VALUE_STRING, "a line in [values] is no string");
    String line = parser.text();
    Map<String, String> metadata = Map.of();
    Token token = parser.nextToken();
    if (token == Token.START_OBJECT) {
      metadata = parser.mapStrings();
      token = parser.nextToken();
    }
    require(token == Token.END_ARRAY, "[values] holds a list of another form");
    return new Entry(nanos, line, metadata);
  }

  private static void require(boolean holds, String otherwise) throws MalformedBodyException {
    if (!holds) {
      throw new MalformedBodyException(otherwise);
    }
  }
}
