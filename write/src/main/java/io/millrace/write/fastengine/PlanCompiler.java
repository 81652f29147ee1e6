package io.millrace.write.fastengine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.IndexableField;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.mapper.DataStreamFieldMapper;
import org.opensearch.index.mapper.DocCountFieldMapper;
import org.opensearch.index.mapper.DocumentMapper;
import org.opensearch.index.mapper.FieldMapper;
import org.opensearch.index.mapper.FieldNamesFieldMapper;
import org.opensearch.index.mapper.IdFieldMapper;
import org.opensearch.index.mapper.IgnoredFieldMapper;
import org.opensearch.index.mapper.IndexFieldMapper;
import org.opensearch.index.mapper.Mapper;
import org.opensearch.index.mapper.MetadataFieldMapper;
import org.opensearch.index.mapper.NestedPathFieldMapper;
import org.opensearch.index.mapper.ObjectMapper;
import org.opensearch.index.mapper.ParseContext;
import org.opensearch.index.mapper.RoutingFieldMapper;
import org.opensearch.index.mapper.SeqNoFieldMapper;
import org.opensearch.index.mapper.SourceFieldMapper;
import org.opensearch.index.mapper.SourceToParse;
import org.opensearch.index.mapper.VersionFieldMapper;

/**
 * Compiles one mapping version into a {@link DocumentPlan}.
 *
 * <p>Three steps. First every mapper says whether it is covered. Then stock parses one sample
 * document that holds a value for every covered field, and the writers are made from the Lucene
 * fields that it answers. Last the finished plan parses the same sample, and if its {@link
 * DocumentShape} is not stock's, the plan is thrown away: a mapping that means something this
 * package does not know costs speed, never an answer.
 */
final class PlanCompiler {
  private static final Set<Class<?>> METADATA =
      Set.of(
          DataStreamFieldMapper.class,
          DocCountFieldMapper.class,
          FieldNamesFieldMapper.class,
          IdFieldMapper.class,
          IgnoredFieldMapper.class,
          IndexFieldMapper.class,
          NestedPathFieldMapper.class,
          RoutingFieldMapper.class,
          SeqNoFieldMapper.class,
          SourceFieldMapper.class,
          VersionFieldMapper.class);
  private static final String SAMPLE_ID = "millrace-sample";
  private static final int MOST_NAMES = 50_000;

  private final DocumentMapper mapper;
  private final IndexSettings settings;
  private final Map<String, FieldCompiler> compilers = new HashMap<>();
  private final Map<String, List<IndexableField>> made = new HashMap<>();
  private final List<String> uncovered = new ArrayList<>();
  private KeptSource kept = KeptSource.WHOLE;
  private boolean fieldNames;
  private @Nullable String timestamp;
  private int slots;

  private PlanCompiler(DocumentMapper mapper, IndexSettings settings) {
    this.mapper = mapper;
    this.settings = settings;
  }

  /** The plan for a mapping; never null and never an exception, at worst a declined plan. */
  static DocumentPlan compile(DocumentMapper mapper, IndexSettings settings) {
    try {
      return new PlanCompiler(mapper, settings).compile();
    } catch (IOException | RuntimeException e) {
      return DocumentPlan.declined(mapper, "cannot be compiled: " + e);
    }
  }

  private DocumentPlan compile() throws IOException {
    String obstacle = obstacle();
    if (obstacle != null) {
      return DocumentPlan.declined(mapper, obstacle);
    }
    Map<String, Object> sample = sample(mapper.root());
    BytesReference source;
    try (XContentBuilder builder = XContentBuilder.builder(XContentType.JSON.xContent())) {
      source = BytesReference.bytes(builder.map(sample));
    }
    SourceToParse toParse =
        new SourceToParse(settings.getIndex().getName(), SAMPLE_ID, source, XContentType.JSON, "r");
    List<IndexableField> expected = mapper.parse(toParse).rootDoc().getFields();
    for (IndexableField field : expected) {
      made.computeIfAbsent(field.name(), name -> new ArrayList<>()).add(field);
    }
    ObjectNode root = object(mapper.root(), ObjectMapper.Dynamic.TRUE);
    DocumentPlan plan =
        new DocumentPlan(
            mapper,
            root,
            kept,
            slots,
            fieldNames ? FieldNamesWriter.names(RoutingFieldMapper.NAME) : List.of(),
            timestamp != null,
            uncovered.isEmpty() ? "" : "left to stock: " + uncovered);
    DocumentAssembly assembly = new DocumentAssembly();
    Fallback fallback = assembly.assemble(plan, toParse, DocumentReader.DEEPEST);
    if (fallback != null) {
      return DocumentPlan.declined(mapper, "the sample was not taken: " + fallback.label());
    }
    Map<String, List<String>> wanted = DocumentShape.of(expected);
    Map<String, List<String>> got = DocumentShape.of(assembly.document().rootDoc());
    if (!wanted.equals(got)) {
      Set<Map.Entry<String, List<String>>> same = new HashSet<>(wanted.entrySet());
      same.retainAll(got.entrySet());
      wanted.entrySet().removeAll(same);
      got.entrySet().removeAll(same);
      return DocumentPlan.declined(mapper, "the sample differs: " + wanted + " against " + got);
    }
    return plan;
  }

  private @Nullable String obstacle() throws IOException {
    if (settings.isDerivedSourceEnabled()
        || settings.isPluggableDataFormatEnabled()
        || settings.isCompositeIndex()
        || settings.isContextAwareEnabled()) {
      return "derived source, pluggable data format, star-tree or context-aware index";
    }
    if (!mapper.root().isEnabled() || mapper.root().disableObjects()) {
      return "root object is not enabled or disables objects";
    }
    for (Mapper field : mapper.mappers()) {
      if (field instanceof MetadataFieldMapper
          && !METADATA.contains(field.getClass())
          && !isInert(field.getClass())) {
        return "metadata field of another plugin: " + field.name();
      }
    }
    KeptSource source = KeptSource.of(mapper.sourceMapper());
    if (source == null) {
      return "the source for recoveries is filtered";
    }
    kept = source;
    FieldNamesFieldMapper names = mapper.metadataMapper(FieldNamesFieldMapper.class);
    fieldNames = names != null && names.fieldType().isEnabled();
    DataStreamFieldMapper stream = mapper.metadataMapper(DataStreamFieldMapper.class);
    if (stream != null) {
      FieldParameters parameters = FieldParameters.of(stream);
      if (parameters.flag("enabled")) {
        timestamp = parameters.text("timestamp_field", "name");
        if (timestamp == null) {
          return "data stream without a timestamp field";
        }
      }
    }
    return null;
  }

  /**
   * Whether a metadata field of a module or plugin does nothing while a document is parsed, as
   * {@code _feature} of mapper-extras, which is in every distribution: it inherits both steps that
   * DocumentParser#internalParseDocument calls, and these are empty (MetadataFieldMapper#preParse,
   * MetadataFieldMapper#postParse).
   */
  static boolean isInert(Class<?> metadata) {
    try {
      for (String step : List.of("preParse", "postParse")) {
        if (metadata.getMethod(step, ParseContext.class).getDeclaringClass()
            != MetadataFieldMapper.class) {
          return false;
        }
      }
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  private static boolean isPlain(ObjectMapper object) {
    return object.isEnabled() && !object.disableObjects() && !object.nested().isNested();
  }

  private Map<String, Object> sample(ObjectMapper object) throws IOException {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Mapper child : object) {
      if (child instanceof ObjectMapper inner) {
        if (isPlain(inner)) {
          values.put(inner.simpleName(), sample(inner));
        }
      } else if (child instanceof FieldMapper field && covered(field)) {
        values.put(field.simpleName(), sampleFor(field, compilers));
      }
    }
    return values;
  }

  private static Object sampleFor(FieldMapper field, Map<String, FieldCompiler> compilers) {
    FieldCompiler compiler = compilers.get(field.name());
    if (compiler == null) {
      throw new IllegalStateException("no compiler for " + field.name());
    }
    // a multi-field takes the same value: a date or number below a keyword asks for its own
    for (Mapper multiField : field.multiFields()) {
      FieldCompiler inner = compilers.get(multiField.name());
      if (inner != null && inner.needsItsOwnSample()) {
        return inner.sample();
      }
    }
    return compiler.sample();
  }

  private boolean covered(FieldMapper field) throws IOException {
    List<FieldMapper> all = new ArrayList<>(List.of(field));
    for (Mapper multiField : field.multiFields()) {
      if (!(multiField instanceof FieldMapper inner)) {
        uncovered.add(multiField.name());
        return false;
      }
      all.add(inner);
    }
    Map<String, FieldCompiler> found = new HashMap<>();
    for (FieldMapper one : all) {
      FieldCompiler compiler = FieldCompiler.of(one);
      if (compiler == null) {
        uncovered.add(one.name());
        return false;
      }
      found.put(one.name(), compiler);
    }
    Object sample = sampleFor(field, found);
    for (FieldCompiler compiler : found.values()) {
      if (compiler.ignores(sample)) {
        uncovered.add(compiler.name());
        return false;
      }
    }
    compilers.putAll(found);
    return true;
  }

  private ObjectNode object(ObjectMapper object, ObjectMapper.Dynamic inherited) {
    ObjectMapper.Dynamic dynamic = dynamic(object, inherited);
    List<ObjectNode.Child> children = new ArrayList<>();
    names(object, dynamic, "", children);
    int first = slots;
    slots += children.size() + 1;
    if (slots > MOST_NAMES) {
      throw new IllegalStateException("more than " + MOST_NAMES + " names");
    }
    return new ObjectNode(children, first, dynamic == ObjectMapper.Dynamic.FALSE);
  }

  /** DocumentParser.dynamicOrDefault at 3.8.0: an object without its own takes its parent's. */
  private static ObjectMapper.Dynamic dynamic(ObjectMapper object, ObjectMapper.Dynamic inherited) {
    ObjectMapper.Dynamic own = object.dynamic();
    return own == null ? inherited : own;
  }

  /** The names of an object, and behind a prefix those of the objects in it. */
  private void names(
      ObjectMapper object,
      ObjectMapper.Dynamic dynamic,
      String prefix,
      List<ObjectNode.Child> into) {
    for (Mapper child : object) {
      String name = prefix + child.simpleName();
      if (child instanceof ObjectMapper inner) {
        boolean plain = isPlain(inner);
        into.add(new ObjectNode.Child(name, plain ? object(inner, dynamic) : null, null));
        if (plain) {
          names(inner, dynamic(inner, dynamic), name + ".", into);
        }
      } else {
        into.add(
            new ObjectNode.Child(name, null, child instanceof FieldMapper f ? field(f) : null));
      }
    }
  }

  private @Nullable PlannedField field(FieldMapper field) {
    List<FieldWriter> writers = new ArrayList<>();
    boolean nullIsNothing = true;
    List<Mapper> all = new ArrayList<>(List.of(field));
    field.multiFields().forEach(all::add);
    for (Mapper one : all) {
      FieldCompiler compiler = compilers.get(one.name());
      FieldWriter writer =
          compiler == null
              ? null
              : compiler.writer(made.getOrDefault(one.name(), List.of()), fieldNames);
      if (compiler == null || writer == null) {
        return null;
      }
      writers.add(writer);
      nullIsNothing &= compiler.nullIsNothing();
    }
    return new PlannedField(writers, nullIsNothing, field.name().equals(timestamp));
  }
}
