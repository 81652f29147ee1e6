package io.millrace.pipelines.sourcecontrol;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.xcontent.LoggingDeprecationHandler;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;

/** Reads two values out of a document, the service and the level, and skips the rest. */
final class DocumentScan {
  private static final int LONGEST = 200;

  private final Map<String, Integer> services = new HashMap<>();
  private final Map<String, Integer> levels = new HashMap<>();
  private final Set<String> above = new HashSet<>();

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
    rank(services, this.services);
    rank(levels, this.levels);
  }

  private void rank(List<String> fields, Map<String, Integer> ranks) {
    for (String field : fields) {
      ranks.putIfAbsent(field, ranks.size());
      for (int dot = field.indexOf('.'); dot >= 0; dot = field.indexOf('.', dot + 1)) {
        above.add(field.substring(0, dot));
      }
    }
  }

  /** Reads a document; one that cannot be read says nothing, and indexing refuses it by itself. */
  Found scan(IndexRequest request) {
    MediaType type = request.getContentType();
    if (type == null) {
      return Found.NOTHING;
    }
    Walk walk = new Walk();
    try (XContentParser parser =
        type.xContent()
            .createParser(
                NamedXContentRegistry.EMPTY,
                LoggingDeprecationHandler.INSTANCE,
                request.source().streamInput())) {
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

  private final class Walk {
    private String service = "";
    private String level = "";
    private int serviceRank = Integer.MAX_VALUE;
    private int levelRank = Integer.MAX_VALUE;

    /** Whether nothing better can come. */
    private boolean object(XContentParser parser, String prefix) throws IOException {
      while (parser.nextToken() == Token.FIELD_NAME) {
        String path = prefix + parser.currentName();
        Token token = parser.nextToken();
        if (token == Token.START_OBJECT && above.contains(path)) {
          if (object(parser, path + ".")) {
            return true;
          }
        } else if (token == Token.START_OBJECT || token == Token.START_ARRAY) {
          parser.skipChildren();
        } else if (token.isValue() && value(parser, path)) {
          return true;
        }
      }
      return false;
    }

    private boolean value(XContentParser parser, String path) throws IOException {
      int asService = services.getOrDefault(path, Integer.MAX_VALUE);
      if (asService < serviceRank) {
        serviceRank = asService;
        service = parser.text();
      }
      int asLevel = levels.getOrDefault(path, Integer.MAX_VALUE);
      if (asLevel < levelRank) {
        levelRank = asLevel;
        level = parser.text();
      }
      return serviceRank == 0 && levelRank == 0;
    }
  }
}
