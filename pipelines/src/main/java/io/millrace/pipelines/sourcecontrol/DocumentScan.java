package io.millrace.pipelines.sourcecontrol;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.util.BytesRef;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.xcontent.LoggingDeprecationHandler;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;

/** Reads two values out of a document, the service and the level, and skips the rest. */
final class DocumentScan {
  private static final int LONGEST = 200;

  private static final int NO_RANK = Integer.MAX_VALUE;

  /** What is known of each field's path; most fields of a document have none. */
  private final Map<String, Known> known = new HashMap<>();

  /** A field's ranks, {@link #NO_RANK} where it says nothing, and whether such a field is in it. */
  private record Known(int service, int level, boolean above) {}

  /**
   * What a document says of itself.
   *
   * @param service empty where no field says it
   */
  record Found(String service, SeverityStep level) {
    static final Found NOTHING = new Found("", SeverityStep.NONE);
  }

  /** Fields by their dotted names, the best first. */
  DocumentScan(List<String> services, List<String> levels) {
    Map<String, Integer> asService = ranks(services);
    Map<String, Integer> asLevel = ranks(levels);
    Set<String> above = new HashSet<>();
    for (Map<String, Integer> ranks : List.of(asService, asLevel)) {
      for (String field : ranks.keySet()) {
        for (int dot = field.indexOf('.'); dot >= 0; dot = field.indexOf('.', dot + 1)) {
          above.add(field.substring(0, dot));
        }
      }
    }
    Set<String> all = new HashSet<>(above);
    all.addAll(asService.keySet());
    all.addAll(asLevel.keySet());
    for (String field : all) {
      known.put(
          field,
          new Known(
              asService.getOrDefault(field, NO_RANK),
              asLevel.getOrDefault(field, NO_RANK),
              above.contains(field)));
    }
  }

  private static Map<String, Integer> ranks(List<String> fields) {
    Map<String, Integer> ranks = new HashMap<>();
    for (String field : fields) {
      ranks.putIfAbsent(field, ranks.size());
    }
    return ranks;
  }

  /** Reads a document; one that cannot be read says nothing, and indexing refuses it by itself. */
  Found scan(IndexRequest request) {
    MediaType type = request.getContentType();
    if (type == null) {
      return Found.NOTHING;
    }
    Walk walk = new Walk();
    try (XContentParser parser = parser(type, request.source())) {
      if (parser.nextToken() == Token.START_OBJECT) {
        walk.object(parser, "");
      }
    } catch (IOException | RuntimeException e) {
      return Found.NOTHING;
    }
    String service = walk.service;
    return new Found(
        service.length() <= LONGEST ? service : service.substring(0, LONGEST),
        SeverityStep.of(walk.level));
  }

  /** Over the bytes where they lie in one piece: a stream would copy them. */
  private static XContentParser parser(MediaType type, BytesReference source) throws IOException {
    if (source instanceof BytesArray) {
      BytesRef bytes = source.toBytesRef();
      return type.xContent()
          .createParser(
              NamedXContentRegistry.EMPTY,
              LoggingDeprecationHandler.INSTANCE,
              bytes.bytes,
              bytes.offset,
              bytes.length);
    }
    return type.xContent()
        .createParser(
            NamedXContentRegistry.EMPTY, LoggingDeprecationHandler.INSTANCE, source.streamInput());
  }

  private final class Walk {
    private String service = "";
    private String level = "";
    private int serviceRank = NO_RANK;
    private int levelRank = NO_RANK;

    /** Whether nothing better can come. */
    private boolean object(XContentParser parser, String prefix) throws IOException {
      while (parser.nextToken() == Token.FIELD_NAME) {
        String name = parser.currentName();
        String path = prefix.isEmpty() ? name : prefix + name;
        Known its = known.get(path);
        Token token = parser.nextToken();
        if (token == Token.START_OBJECT && its != null && its.above) {
          if (object(parser, path + ".")) {
            return true;
          }
        } else if (token == Token.START_OBJECT || token == Token.START_ARRAY) {
          parser.skipChildren();
        } else if (its != null && token.isValue() && value(parser, its)) {
          return true;
        }
      }
      return false;
    }

    private boolean value(XContentParser parser, Known its) throws IOException {
      if (its.service < serviceRank) {
        serviceRank = its.service;
        service = parser.text();
      }
      if (its.level < levelRank) {
        levelRank = its.level;
        level = parser.text();
      }
      return serviceRank == 0 && levelRank == 0;
    }
  }
}
