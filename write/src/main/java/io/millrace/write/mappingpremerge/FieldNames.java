package io.millrace.write.mappingpremerge;

import io.millrace.write.lenientparsing.DepthLimit;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.xcontent.LoggingDeprecationHandler;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.mapper.MapperService;
import org.opensearch.index.mapper.ObjectMapper;

/**
 * Tells whether a document names a field that the mapping does not know, by its names alone: values
 * are skipped, nothing is built.
 *
 * <p>Names that were seen to add nothing ({@code dynamic: false}, a null value, an empty object)
 * are kept, up to {@value #MAX_BARREN} for an index, until its mapping changes; when there are
 * more, names are not looked at any more until then, so that input with ever new names costs no
 * more than stock.
 */
final class FieldNames {
  static final int MAX_BARREN = 1000;

  private final MapperService mapperService;
  private final Set<String> barren = ConcurrentHashMap.newKeySet();
  private volatile long mappingVersion = -1;

  FieldNames(MapperService mapperService) {
    this.mapperService = mapperService;
  }

  /**
   * Whether the document names a field that the mapping does not know and that was not seen to add
   * nothing; false too where it cannot be read.
   */
  boolean anyUnknown(IndexRequest request) {
    forgetAfterChange();
    return barren.size() <= MAX_BARREN && look(request, barren, null);
  }

  /**
   * Whether the document names a field that neither the mapping nor {@code known} has: also one
   * that added nothing in an earlier document, because this one may give it a value.
   *
   * @param known names with their whole paths
   */
  boolean anyUnmapped(IndexRequest request, Set<String> known) {
    return look(request, known, null);
  }

  /** Remembers the unknown names of a document that added nothing to the mapping. */
  void barren(IndexRequest request) {
    forgetAfterChange();
    if (barren.size() <= MAX_BARREN) {
      look(request, barren, barren);
    }
  }

  private void forgetAfterChange() {
    long version = mapperService.getIndexSettings().getIndexMetadata().getMappingVersion();
    if (version != mappingVersion) {
      mappingVersion = version;
      barren.clear();
    }
  }

  private boolean look(IndexRequest request, Set<String> known, @Nullable Set<String> found) {
    MediaType type = request.getContentType();
    if (type == null) {
      return false;
    }
    try (XContentParser parser =
        type.xContent()
            .createParser(
                NamedXContentRegistry.EMPTY,
                LoggingDeprecationHandler.INSTANCE,
                request.source().streamInput())) {
      return parser.nextToken() == XContentParser.Token.START_OBJECT
          && walk(parser, "", known, found);
    } catch (IOException | RuntimeException e) {
      return false; // stock says what is wrong with the document
    }
  }

  private boolean walk(
      XContentParser parser, String prefix, Set<String> known, @Nullable Set<String> found)
      throws IOException {
    boolean unknown = false;
    String path = prefix;
    int arrays = 0;
    for (XContentParser.Token token = parser.nextToken();
        token != null && (token != XContentParser.Token.END_OBJECT || arrays > 0);
        token = parser.nextToken()) {
      switch (token) {
        case FIELD_NAME -> {
          path = prefix + parser.currentName();
          if (mapperService.fieldType(path) != null) {
            parser.nextToken();
            parser.skipChildren();
          } else {
            ObjectMapper object = mapperService.getObjectMapper(path);
            if (object != null && !object.isEnabled()) {
              parser.nextToken();
              parser.skipChildren();
            } else if (object == null
                && !known.contains(path)
                && !DepthLimit.isBelow(mapperService.getIndexSettings(), path)) {
              unknown = true;
              if (found == null) {
                return true;
              }
              found.add(path);
            }
          }
        }
        case START_ARRAY -> arrays++;
        case END_ARRAY -> arrays--;
        case START_OBJECT -> {
          if (walk(parser, path + ".", known, found)) {
            unknown = true;
            if (found == null) {
              return true;
            }
          }
        }
        default -> {}
      }
    }
    return unknown;
  }
}
