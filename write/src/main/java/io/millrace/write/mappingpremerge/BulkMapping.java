package io.millrace.write.mappingpremerge;

import io.millrace.write.lenientparsing.InternalNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.bulk.BulkItemRequest;
import org.opensearch.action.bulk.BulkShardRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.common.compress.CompressedXContent;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.index.mapper.DocumentMapper;
import org.opensearch.index.mapper.Mapper;
import org.opensearch.index.mapper.MapperService;
import org.opensearch.index.mapper.MapperService.MergeReason;
import org.opensearch.index.mapper.Mapping;
import org.opensearch.index.mapper.ObjectMapper;
import org.opensearch.index.mapper.ParsedDocument;
import org.opensearch.index.mapper.SourceToParse;

/**
 * What the documents of a shard bulk add to the mapping, merged into one update.
 *
 * <p>Each document is parsed by stock's own DocumentMapper, so dynamic templates, {@code dynamic}
 * and date detection decide as always. The first value of a field in the bulk decides its type, as
 * on stock, so no document that may add something is passed over: what comes after an update
 * request, whose document is not known here, is left to stock. A document that cannot be parsed, or
 * whose fields contradict an earlier one's or have internal names, adds nothing here: it meets
 * stock's per-document path later and gets stock's answer. The whole is tried against the shard's
 * mapping first, as stock tries each update (TransportShardBulkAction at 3.8.0,
 * MAPPING_UPDATE_PREFLIGHT); where a limit on fields, depth or names refuses it, half of the
 * documents are tried, and so on.
 */
final class BulkMapping {
  /** Documents looked at for new fields in a bulk; all of a smaller one. */
  static final int SAMPLE = 8;

  /** Documents parsed in advance at most; the rest is stock's. */
  static final int MAX_PARSED = 1000;

  private final MapperService mapperService;
  private final FieldNames names;

  BulkMapping(MapperService mapperService, FieldNames names) {
    this.mapperService = mapperService;
    this.names = names;
  }

  /** Whether some document of the bulk, among a few looked at, names an unknown field. */
  boolean likelyNew(BulkShardRequest bulk) {
    return sample(bulk).anyMatch(names::anyUnknown);
  }

  /** Bytes of the documents that {@link #likelyNew} looks at. */
  static long sampledBytes(BulkShardRequest bulk) {
    return sample(bulk).mapToLong(request -> request.source().length()).sum();
  }

  private static Stream<IndexRequest> sample(BulkShardRequest bulk) {
    BulkItemRequest[] items = bulk.items();
    int looks = Math.min(SAMPLE, items.length);
    return IntStream.range(0, looks)
        .map(i -> looks == 1 ? 0 : (int) ((long) i * (items.length - 1) / (looks - 1)))
        .mapToObj(at -> items[at].request())
        .filter(IndexRequest.class::isInstance)
        .map(IndexRequest.class::cast);
  }

  /** The one update for the bulk; null where none is needed or none is possible. */
  @Nullable Mapping update(BulkShardRequest bulk) {
    DocumentMapper mapper = mapperService.documentMapperWithAutoCreate().getDocumentMapper();
    List<Mapping> updates = new ArrayList<>();
    List<IndexRequest> withoutUpdate = new ArrayList<>();
    Set<String> added = new HashSet<>();
    for (BulkItemRequest item : bulk.items()) {
      DocWriteRequest<?> write = item.request();
      if (write instanceof UpdateRequest) {
        break;
      }
      if (!(write instanceof IndexRequest request) || !names.anyUnmapped(request, added)) {
        continue;
      }
      if (updates.size() + withoutUpdate.size() == MAX_PARSED) {
        break;
      }
      Mapping one = updateOf(mapper, request);
      if (one == null) {
        withoutUpdate.add(request);
      } else {
        updates.add(one);
        addNames(one.root(), added);
      }
    }
    withoutUpdate.forEach(names::barren);
    for (int count = updates.size(); count > 0; count /= 2) {
      Mapping merged = merge(updates.subList(0, count));
      if (fits(merged)) {
        return merged;
      }
    }
    return null;
  }

  /**
   * Notes the fields and objects of an update. A later document with no other new names is not
   * parsed: what it would add is what it adds on stock, where the first document's types are in the
   * mapping by then.
   */
  private static void addNames(ObjectMapper object, Set<String> added) {
    for (Mapper child : object) {
      added.add(child.name());
      if (child instanceof ObjectMapper inner) {
        addNames(inner, added);
      }
    }
  }

  private static @Nullable Mapping updateOf(DocumentMapper mapper, IndexRequest request) {
    try {
      ParsedDocument document =
          mapper.parse(
              new SourceToParse(
                  request.index(),
                  request.id(),
                  request.source(),
                  request.getContentType(),
                  request.routing()));
      Mapping update = document.dynamicMappingsUpdate();
      return update == null || InternalNames.in(update) ? null : update;
    } catch (RuntimeException e) {
      return null; // stock parses it again and answers for it
    }
  }

  private static Mapping merge(List<Mapping> updates) {
    Mapping merged = updates.get(0);
    for (Mapping update : updates.subList(1, updates.size())) {
      try {
        merged = merged.merge(update, MergeReason.MAPPING_UPDATE);
      } catch (RuntimeException e) {
        // contradicts an earlier document: stock answers for it
        continue;
      }
    }
    return merged;
  }

  private boolean fits(Mapping mapping) {
    try {
      mapperService.merge(
          MapperService.SINGLE_MAPPING_NAME,
          new CompressedXContent(mapping, ToXContent.EMPTY_PARAMS),
          MergeReason.MAPPING_UPDATE_PREFLIGHT);
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
