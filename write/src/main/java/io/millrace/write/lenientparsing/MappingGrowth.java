package io.millrace.write.lenientparsing;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.common.compress.CompressedXContent;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.index.mapper.DocumentMapper;
import org.opensearch.index.mapper.FieldMapper;
import org.opensearch.index.mapper.KeywordFieldMapper;
import org.opensearch.index.mapper.Mapper;
import org.opensearch.index.mapper.MapperService;
import org.opensearch.index.mapper.MapperService.MergeReason;
import org.opensearch.index.mapper.Mapping;
import org.opensearch.index.mapper.MetadataFieldMapper;
import org.opensearch.index.mapper.ObjectMapper;
import org.opensearch.index.mapper.ObjectMapper.Dynamic;

/**
 * Whether the mapping of an index may grow by an update, asked of the mapping itself
 * (MapperService#merge with MAPPING_UPDATE_PREFLIGHT, as the primary does before it sends an update
 * to the cluster manager: TransportShardBulkAction#executeBulkItemRequest).
 */
final class MappingGrowth {
  private static final Logger LOG = LogManager.getLogger(MappingGrowth.class);

  /** More than a field takes with its parents (20 by default) and multi-fields. */
  private static final int RESERVE = 32;

  private final MapperService mapperService;

  MappingGrowth(MapperService mapperService) {
    this.mapperService = mapperService;
  }

  /** Whether the mapping takes an update now: no conflict, within its limits, no internal name. */
  boolean takes(Mapping update) {
    if (InternalNames.in(update)) {
      return false;
    }
    try {
      mapperService.merge(
          MapperService.SINGLE_MAPPING_NAME,
          new CompressedXContent(update, ToXContent.EMPTY_PARAMS),
          MergeReason.MAPPING_UPDATE_PREFLIGHT);
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.debug("the mapping of {} does not take an update", mapperService.index(), e);
      return false;
    }
  }

  /** Whether a field is a keyword, whose long values are cut. */
  boolean isKeyword(String field) {
    return mapperService.fieldType(field) instanceof KeywordFieldMapper.KeywordFieldType;
  }

  /**
   * How many fields and objects the mapping may get before one more field is refused; negative if
   * none at all.
   *
   * <p>Some room stays free, more than one field takes with its parents and multi-fields. So a
   * field that was refused for lack of room stays refused, and a smaller one that comes later as
   * well.
   */
  int room() {
    DocumentMapper mapper = mapperService.documentMapper();
    long held = 0;
    if (mapper != null) {
      held = mapper.objectMappers().size();
      for (Mapper field : mapper.mappers()) {
        held += field instanceof MetadataFieldMapper ? 0 : 1;
      }
    }
    long limit = mapperService.getIndexSettings().getMappingTotalFieldsLimit();
    long free = limit - held - Math.min(RESERVE, limit / 4);
    return (int) Math.clamp(free, -1, Integer.MAX_VALUE);
  }

  /** Whether a name has more parts than the mapping may have levels of objects. */
  boolean tooDeep(String path) {
    return DepthLimit.isBelow(mapperService.getIndexSettings(), path);
  }

  /** How many fields and objects an update would add. */
  int cost(DocumentMapper known, Mapping update) {
    return cost(known, (Iterable<Mapper>) update.root());
  }

  private static int cost(DocumentMapper known, Iterable<Mapper> mappers) {
    int cost = 0;
    for (Mapper mapper : mappers) {
      boolean there =
          known.mappers().getMapper(mapper.name()) != null
              || known.objectMappers().containsKey(mapper.name());
      cost += (there ? 0 : 1) + cost(known, mapper);
    }
    return cost;
  }

  /**
   * Whether a field can have a name: parts between dots, none of them blank. A name without a dot
   * may be blank, but not empty (DocumentParser#splitAndValidatePath).
   */
  static boolean names(String name) {
    return name.indexOf('.') < 0
        ? !name.isEmpty()
        : Arrays.stream(name.split("\\.", -1)).noneMatch(String::isBlank);
  }

  /** Whether a value at a path would add a field to a mapping. */
  static boolean adds(DocumentMapper known, String path) {
    if (known.mappers().getMapper(path) != null) {
      return false;
    }
    Dynamic dynamic = known.root().dynamic();
    for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      String parent = path.substring(0, dot);
      ObjectMapper object = known.objectMappers().get(parent);
      if (known.mappers().getMapper(parent) != null || (object != null && !object.isEnabled())) {
        return false;
      }
      if (object != null && object.dynamic() != null) {
        dynamic = object.dynamic();
      }
    }
    return dynamic == null || dynamic == Dynamic.TRUE;
  }

  /** Full names of the fields, and of the objects without a field, that an update adds. */
  static Set<String> added(DocumentMapper known, Mapping update) {
    Set<String> added = new LinkedHashSet<>();
    collect(known, update.root(), added);
    return added;
  }

  private static void collect(DocumentMapper known, ObjectMapper object, Set<String> added) {
    boolean empty = true;
    for (Mapper mapper : object) {
      empty = false;
      if (mapper instanceof ObjectMapper inner) {
        collect(known, inner, added);
      } else if (mapper instanceof FieldMapper
          && known.mappers().getMapper(mapper.name()) == null) {
        added.add(mapper.name());
      }
    }
    if (empty && !known.objectMappers().containsKey(object.fullPath())) {
      added.add(object.fullPath());
    }
  }
}
