package io.millrace.write.lenientparsing;

import io.millrace.kernel.slot.SecondAttempt;
import io.millrace.kernel.slot.ShardHooks;
import io.millrace.write.lenientparsing.LooseJson.Num;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.index.engine.Engine.Operation.Origin;
import org.opensearch.index.mapper.DateFieldMapper;
import org.opensearch.index.mapper.DocumentMapper;
import org.opensearch.index.mapper.FieldMapper;
import org.opensearch.index.mapper.FlatObjectFieldMapper;
import org.opensearch.index.mapper.IgnoredFieldMapper;
import org.opensearch.index.mapper.Mapper;
import org.opensearch.index.mapper.Mapping;
import org.opensearch.index.mapper.ParseContext;
import org.opensearch.index.mapper.ParsedDocument;
import org.opensearch.index.mapper.SourceFieldMapper;
import org.opensearch.index.mapper.SourceToParse;
import org.opensearch.index.mapper.StrictDynamicMappingException;

/**
 * Parses a document a second time, without the values that its mapping refuses.
 *
 * <p>On the primary this happens where the index asks for it. On every other copy, and when a
 * translog is replayed, it always happens: the document was acknowledged, so some primary took it
 * in this way, and a copy that refused it would fail.
 */
final class LenientParser implements ShardHooks {
  private static final String TIMESTAMP = "@timestamp";

  /** Where the Elastic Common Schema keeps the time at which a document arrived. */
  private static final String INGESTED = "event.ingested";

  /** Longer values are cut for the flat field: Lucene takes terms of up to 32,766 bytes. */
  private static final int FLAT_CHARACTERS = 8_000;

  /** Longer names are no path of the flat field, and are cut in {@code _ignored}. */
  private static final int NAME_CHARACTERS = 1_000;

  private final Supplier<@Nullable MappingGrowth> growth;
  private final BooleanSupplier on;
  private final Supplier<String> flatField;
  private final LongSupplier created;
  private final IgnoredValues ignoredValues;

  /**
   * @param growth the mapping of the index; null until the index service exists
   * @param on whether primaries of this index are lenient
   * @param flatField name of the field for what has no field of its own; empty for none
   * @param created when the index was created, milliseconds since the epoch
   */
  LenientParser(
      Supplier<@Nullable MappingGrowth> growth,
      BooleanSupplier on,
      Supplier<String> flatField,
      LongSupplier created,
      IgnoredValues ignoredValues) {
    this.growth = growth;
    this.on = on;
    this.flatField = flatField;
    this.created = created;
    this.ignoredValues = ignoredValues;
  }

  @Override
  public boolean parsesAgain() {
    return true;
  }

  @Override
  public @Nullable ParsedDocument parseAgain(SecondAttempt attempt) {
    MappingGrowth mapping = growth.get();
    Origin origin = attempt.origin();
    if (mapping == null
        || (origin == Origin.PRIMARY && !on.getAsBoolean())
        // who maps strictly wants refusals
        || attempt.refusal() instanceof StrictDynamicMappingException) {
      return null;
    }
    // what was replayed from this node's own translog had its mapping before it was acknowledged
    boolean grows = origin != Origin.LOCAL_TRANSLOG_RECOVERY && origin != Origin.LOCAL_RESET;
    Mapping update = attempt.update();
    if (update != null
        && grows
        && mapping.cost(attempt.mapper().getDocumentMapper(), update) <= mapping.room()
        && mapping.takes(update)) {
      return null;
    }
    SourceToParse source = attempt.source();
    Map<String, Object> document = LooseJson.read(source.source(), source.getMediaType());
    return document == null ? null : new Attempt(attempt, mapping, grows, document).parse();
  }

  /** One document. */
  private final class Attempt implements Fitting.Target {
    private final SecondAttempt attempt;
    private final DocumentMapper mapper;
    private final MappingGrowth mapping;
    private final boolean grows;
    private final Map<String, Object> document;
    private final Map<String, String> ignored = new LinkedHashMap<>();
    private final Map<String, Object> rest;
    private @Nullable String ingested;

    Attempt(
        SecondAttempt attempt, MappingGrowth mapping, boolean grows, Map<String, Object> document) {
      this.attempt = attempt;
      this.mapper = attempt.mapper().getDocumentMapper();
      this.mapping = mapping;
      this.grows = grows;
      this.document = document;
      this.rest = new LinkedHashMap<>(document);
    }

    @Nullable ParsedDocument parse() {
      Map<String, Object> required = timestamp();
      if (!parses(required)) {
        return null;
      }
      Fitting fitting = new Fitting(this);
      Map<String, Object> fit = fitting.fit(required, rest);
      fitting
          .leftOut()
          .keySet()
          .forEach(field -> ignored.putIfAbsent(field, reason(field, fitting.beyondLimits())));
      return finish(withFlat(fit, fitting.leftOut()));
    }

    /**
     * Takes an unreadable timestamp out of the document.
     *
     * @return the timestamp that every attempt needs; empty if the index needs none
     */
    private Map<String, Object> timestamp() {
      Mapper field = mapper.mappers().getMapper(TIMESTAMP);
      boolean needed = !parses(Map.of());
      if (!(field instanceof DateFieldMapper date)) {
        return Map.of();
      }
      boolean given = rest.containsKey(TIMESTAMP);
      Object value = rest.get(TIMESTAMP);
      if (given && value != null && parses(Map.of(TIMESTAMP, value))) {
        return needed ? Map.of(TIMESTAMP, rest.remove(TIMESTAMP)) : Map.of();
      }
      if (!given && !needed) {
        return Map.of();
      }
      rest.remove(TIMESTAMP);
      for (Object written : arrivals(date, needed)) {
        Map<String, Object> stamped = Map.of(TIMESTAMP, written);
        if (parses(stamped)) {
          ignored.put(TIMESTAMP, given ? "no date: time of arrival instead" : "missing");
          return stamped;
        }
      }
      ignored.put(TIMESTAMP, "no date");
      return Map.of();
    }

    /**
     * When the document arrived, in the forms that a date field may want: as the document says
     * itself, else as its generated id says. The latter is then written into the document, because
     * a recovery from Lucene's segments does not know it (LuceneChangesSnapshot#readDocAsOp).
     */
    private List<Object> arrivals(DateFieldMapper date, boolean needed) {
      Object said = IgnoredValues.at(document, List.of("event", "ingested"));
      if (said != null && !(said instanceof Map) && !(said instanceof List)) {
        List<Object> written = new ArrayList<>(List.of(said));
        if (needed) {
          // it may be no date either, and what the document says is not written over
          written.addAll(forms(date, created.getAsLong()));
        }
        return written;
      }
      long arrival = attempt.autoGeneratedIdTimestamp();
      if (arrival > 0) {
        ingested = Instant.ofEpochMilli(arrival).toString();
        document.put(INGESTED, ingested);
        rest.put(INGESTED, ingested);
      } else if (needed) {
        arrival = created.getAsLong();
      } else {
        return List.of();
      }
      return forms(date, arrival);
    }

    private static List<Object> forms(DateFieldMapper date, long millis) {
      return List.of(
          new Num(Long.toString(millis)),
          date.fieldType().dateTimeFormatter().formatMillis(millis));
    }

    private boolean parses(Map<String, Object> part) {
      try {
        parse(part);
        return true;
      } catch (RuntimeException e) {
        return false;
      }
    }

    private String reason(String field, Set<String> beyondLimits) {
      if (beyondLimits.contains(field)) {
        return "beyond the mapping's limits";
      }
      if (mapper.mappers().getMapper(field) instanceof FieldMapper known) {
        return "no value for [" + known.fieldType().typeName() + "]";
      }
      return mapper.objectMappers().containsKey(field) ? "no object" : "clashes with the mapping";
    }

    /** Adds what was left out to the flat field, if the index has one that takes it. */
    private ParsedDocument withFlat(Map<String, Object> fit, Map<String, List<Object>> leftOut) {
      String flat = flatField.get();
      if (!flat.isEmpty()
          && !leftOut.isEmpty()
          && !fit.containsKey(flat)
          && mapper.mappers().getMapper(flat) instanceof FlatObjectFieldMapper) {
        Map<String, Object> values = new LinkedHashMap<>();
        leftOut.forEach((field, left) -> {
          if (!field.isBlank() && field.length() <= NAME_CHARACTERS) {
            values.put(field, flat(left));
          }
        });
        Map<String, Object> with = new LinkedHashMap<>(fit);
        with.put(flat, values);
        if (parses(with)) {
          return parse(with);
        }
      }
      return parse(fit);
    }

    private static Object flat(@Nullable Object value) {
      if (value instanceof Map<?, ?> map) {
        Map<String, Object> out = new LinkedHashMap<>();
        map.forEach((name, inner) -> {
          String key = (String) name;
          if (!key.isBlank() && key.length() <= NAME_CHARACTERS) {
            out.put(key, flat(inner));
          }
        });
        return out;
      }
      if (value instanceof List<?> list) {
        List<Object> out = new ArrayList<>();
        list.forEach(inner -> out.add(flat(inner)));
        return out;
      }
      String text = String.valueOf(value);
      return text.length() <= FLAT_CHARACTERS ? text : text.substring(0, FLAT_CHARACTERS);
    }

    /** Gives a document parsed in parts its whole source, and the names of what was left out. */
    private ParsedDocument finish(ParsedDocument parsed) {
      SourceToParse given = attempt.source();
      boolean readable = LooseJson.readable(given.source(), given.getMediaType());
      BytesReference source = given.source();
      if (!readable || (ingested != null && given.getMediaType() != XContentType.JSON)) {
        source = LooseJson.write(document);
      } else if (ingested != null) {
        source = LooseJson.append(given.source(), INGESTED, ingested);
      }
      keepSource(parsed, source, source == given.source() ? given : null);
      ParseContext.Document root = parsed.rootDoc();
      for (String field : ignored.keySet()) {
        String name =
            field.length() <= NAME_CHARACTERS ? field : field.substring(0, NAME_CHARACTERS);
        root.add(new Field(IgnoredFieldMapper.NAME, name, IgnoredFieldMapper.Defaults.FIELD_TYPE));
      }
      if (!readable) {
        // counted, but not in _ignored: what is replayed from a translog is readable
        ignored.put(SourceFieldMapper.NAME, "not readable as it was sent");
      }
      if (attempt.mapper().getMapping() != null) {
        parsed.addDynamicMappingsUpdate(attempt.mapper().getMapping());
      }
      if (parsed.dynamicMappingsUpdate() == null && attempt.origin() == Origin.PRIMARY) {
        ignoredValues.count(given.index(), ignored, IgnoredValues.source(document));
      }
      return parsed;
    }

    private void keepSource(
        ParsedDocument parsed, BytesReference source, @Nullable SourceToParse given) {
      XContentType type =
          given != null && given.getMediaType() instanceof XContentType sent
              ? sent
              : XContentType.JSON;
      ParseContext.Document root = parsed.rootDoc();
      boolean stored = root.getField(SourceFieldMapper.NAME) != null;
      boolean recovery = root.getField(SourceFieldMapper.RECOVERY_SOURCE_NAME) != null;
      root.getFields()
          .removeIf(field ->
              field.name().equals(SourceFieldMapper.NAME)
                  || field.name().equals(SourceFieldMapper.RECOVERY_SOURCE_NAME));
      try {
        BytesReference filtered = mapper.sourceMapper().applyFilters(source, type);
        if (stored && filtered != null) {
          root.add(stored(SourceFieldMapper.NAME, filtered));
        }
        if (recovery) {
          root.add(stored(SourceFieldMapper.RECOVERY_SOURCE_NAME, source));
          root.add(new NumericDocValuesField(SourceFieldMapper.RECOVERY_SOURCE_NAME, 1));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      parsed.setSource(source, type);
    }

    private static StoredField stored(String name, BytesReference bytes) {
      BytesRef ref = bytes.toBytesRef();
      return new StoredField(name, ref.bytes, ref.offset, ref.length);
    }

    @Override
    public ParsedDocument parse(Map<String, Object> part) {
      SourceToParse source = attempt.source();
      return mapper.parse(
          new SourceToParse(
              source.index(),
              source.id(),
              LooseJson.write(part),
              XContentType.JSON,
              source.routing()));
    }

    @Override
    public boolean takes(Mapping update) {
      return grows && mapping.takes(update);
    }

    @Override
    public boolean names(String name) {
      return mapper.root().disableObjects() || MappingGrowth.names(name);
    }

    @Override
    public boolean mapped(String path) {
      return mapper.mappers().getMapper(path) != null;
    }

    @Override
    public boolean adds(String path) {
      return MappingGrowth.adds(mapper, path);
    }

    @Override
    public boolean tooDeep(String path) {
      return mapping.tooDeep(path) && adds(path);
    }

    @Override
    public Set<String> added(Mapping update) {
      return MappingGrowth.added(mapper, update);
    }

    @Override
    public int cost(Mapping update) {
      return mapping.cost(mapper, update);
    }

    @Override
    public int room() {
      return grows ? mapping.room() : -1;
    }
  }
}
