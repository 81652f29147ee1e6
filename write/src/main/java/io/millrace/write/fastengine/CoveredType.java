package io.millrace.write.fastengine;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.IndexableField;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.FieldMapper;

/**
 * What the fast path knows of one field type. One class for each, listed in {@link CoveredTypes};
 * used when a mapping is compiled, never while a document is read.
 *
 * <p>What is not known is left to stock: a mapper of another class, a parameter that is not listed,
 * a value of a parameter that {@link #covers} does not accept.
 */
abstract class CoveredType {
  /** A sample that says nothing of the type: text of any kind is good. */
  static final String ANY_TEXT = "a";

  private static final Set<String> COMMON =
      Set.of("type", "meta", "boost", "fields", "index", "doc_values", "store");

  private final String name;
  private final Class<? extends FieldMapper> mapper;
  private final Set<String> parameters;

  /**
   * @param name the type in mappings
   * @param mapper stock's class for it, itself and not a subclass
   * @param parameters all that this class knows, beside those of every field
   */
  CoveredType(String name, Class<? extends FieldMapper> mapper, Set<String> parameters) {
    this.name = name;
    this.mapper = mapper;
    Set<String> all = new HashSet<>(COMMON);
    all.addAll(parameters);
    this.parameters = Set.copyOf(all);
  }

  /** The type in mappings. */
  final String name() {
    return name;
  }

  /** Whether a mapper is of this type. */
  final boolean isTypeOf(FieldMapper other) {
    return other.getClass() == mapper;
  }

  /** Whether every parameter is known, and what it says is covered. */
  final boolean takes(MappedField field) {
    return field.parameters().hasOnly(parameters) && covers(field);
  }

  /** Whether what the known parameters say is covered. */
  boolean covers(MappedField field) {
    return true;
  }

  /** A value that stock takes. */
  abstract Object sample(MappedField field);

  /** Whether stock makes nothing of a sample because it is too long for the field. */
  boolean ignores(MappedField field, Object sample) {
    return false;
  }

  /**
   * The writer that repeats what stock made. Field types (index options, norms, term vectors, skip
   * index) are never guessed: they are taken from what stock made.
   *
   * @param made stock's Lucene fields of this name for the sample
   * @return null if what stock made is not what this class knows
   */
  abstract @Nullable FieldWriter writer(MappedField field, List<IndexableField> made);

  /** Whether stock names the field in {@code _field_names}: where doc values do not tell. */
  boolean named(MappedField field, List<IndexableField> made) {
    return !field.docValues() && (field.indexed() || field.stored());
  }
}
