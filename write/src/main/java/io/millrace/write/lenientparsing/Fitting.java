package io.millrace.write.lenientparsing;

import static io.millrace.write.lenientparsing.DocumentTrees.add;
import static io.millrace.write.lenientparsing.DocumentTrees.holdsObjects;
import static io.millrace.write.lenientparsing.DocumentTrees.size;
import static io.millrace.write.lenientparsing.DocumentTrees.union;
import static io.millrace.write.lenientparsing.DocumentTrees.without;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.Mapping;
import org.opensearch.index.mapper.ParsedDocument;

/**
 * Finds the part of one document that a mapping takes.
 *
 * <p>The mapping itself is asked, by parsing: parts that are refused are halved until the refused
 * values stand alone. So every field type is judged by its own rules, those of other plugins
 * included. The answer depends on the document and the mapping only, so that every copy of a shard
 * comes to the same one.
 *
 * <p>Work is bounded by {@value #WORK} values parsed; what is not judged by then is left out.
 */
final class Fitting {
  static final int WORK = 200_000;

  private static final int ROUNDS = 8;
  private static final Pattern TRAILING_DOTS = Pattern.compile("(?<=[^.])\\.+$");

  /** New fields of one document that may be refused for their path before others are not tried. */
  private static final int UNNAMEABLE = 256;

  private final Target target;
  private final Map<String, List<Object>> leftOut = new LinkedHashMap<>();
  private final Set<String> beyondLimits = new LinkedHashSet<>();
  private int work = WORK;
  private boolean full;

  /** The mapping as this class needs it. */
  interface Target {
    /**
     * Parses a document.
     *
     * @throws Exception if the mapping refuses it
     */
    ParsedDocument parse(Map<String, Object> document) throws Exception;

    /** Whether the index's mapping would take this update now. */
    boolean takes(Mapping update);

    /** Whether a field can have this name. */
    boolean names(String name);

    /** Whether a field of this path exists, whose own value this is. */
    boolean mapped(String path);

    /** Whether a value at this path would add a field to the mapping. */
    boolean adds(String path);

    /** Whether a field of this path would stand below more objects than the mapping may have. */
    boolean tooDeep(String path);

    /** Full names of the fields that an update would add. */
    Set<String> added(Mapping update);

    /** How many fields and objects an update would add, at least. */
    int cost(Mapping update);

    /** How many the mapping may get before one more field is refused; negative if none at all. */
    int room();
  }

  Fitting(Target target) {
    this.target = target;
  }

  /** What was left out: full name of the field, and its values. */
  Map<String, List<Object>> leftOut() {
    return leftOut;
  }

  /** Of these, the fields that were left out because the mapping may not grow. */
  Set<String> beyondLimits() {
    return beyondLimits;
  }

  /**
   * The part of a document that the mapping takes.
   *
   * @param required what every attempt has to hold, such as a data stream's timestamp
   * @param given the other fields
   */
  Map<String, Object> fit(Map<String, Object> required, Map<String, Object> given) {
    Map<String, Object> document = wellNamed(given, "");
    Set<String> beyond = beyondRoom(document);
    forEachLeaf(document, beyond, "");
    beyondLimits.addAll(beyond);
    Map<String, Object> rest = beyond.isEmpty() ? document : without(document, beyond, "");
    Map<String, Object> fitting = entries(rest, part -> union(required, part), "");
    Map<String, Object> whole = union(required, fitting);
    // an object that loses its last new field is new itself: asked again until nothing is refused
    for (int round = 0; round < ROUNDS; round++) {
      Mapping update = update(whole);
      if (update == null || (target.cost(update) <= target.room() && target.takes(update))) {
        return whole;
      }
      if (round > 0 && target.takes(update)) {
        return whole;
      }
      whole = withinLimits(whole, update);
    }
    Map<String, Object> mapped = new LinkedHashMap<>(required);
    whole.forEach((name, value) -> {
      if (target.mapped(name)) {
        mapped.put(name, value);
      } else if (!mapped.containsKey(name)) {
        beyondLimits.add(name);
        leaveOut(name, value);
      }
    });
    return mapped;
  }

  /**
   * Leaves out what no field can be named. Done first, so that these values are named alike whether
   * the mapping has room for new fields or not: it may have less on a copy that comes later.
   */
  @SuppressWarnings("unchecked")
  private Map<String, Object> wellNamed(Map<String, Object> object, String prefix) {
    Map<String, Object> out = new LinkedHashMap<>();
    object.forEach((given, value) -> {
      // stock reads "x." as "x" (DocumentParser#splitAndValidatePath)
      String name = TRAILING_DOTS.matcher(given).replaceFirst("");
      String path = prefix + name;
      if (!target.names(name) || (InternalNames.hold(path) && !(value instanceof Map))) {
        leaveOut(prefix + given, value);
      } else if (target.tooDeep(path)) {
        // not tried: stock's parser takes seconds for a name of a thousand parts
        beyondLimits.add(path);
        leaveOut(path, value);
      } else if (target.mapped(path)) {
        add(out, name, value);
      } else if (value instanceof Map<?, ?> map && !map.isEmpty()) {
        Map<String, Object> inner = wellNamed((Map<String, Object>) map, path + ".");
        if (!inner.isEmpty()) {
          add(out, name, inner);
        }
      } else if (value instanceof List<?> list && holdsObjects(list)) {
        add(out, name, wellNamed((List<Object>) list, path + "."));
      } else {
        add(out, name, value);
      }
    });
    return out;
  }

  @SuppressWarnings("unchecked")
  private List<Object> wellNamed(List<Object> list, String prefix) {
    List<Object> out = new ArrayList<>();
    for (Object element : list) {
      if (element instanceof Map<?, ?> map) {
        out.add(wellNamed((Map<String, Object>) map, prefix));
      } else {
        out.add(
            element instanceof List<?> inner ? wellNamed((List<Object>) inner, prefix) : element);
      }
    }
    return out;
  }

  /**
   * New fields that the mapping has certainly no room for, found by their names alone: parsing
   * thousands of new fields takes seconds.
   */
  private Set<String> beyondRoom(Map<String, Object> document) {
    Set<String> added = new LinkedHashSet<>();
    collectNew(document, "", added);
    int most = target.room() < 0 ? 0 : target.room() + 1 + UNNAMEABLE;
    return added.size() <= most
        ? Set.of()
        : new LinkedHashSet<>(List.copyOf(added).subList(most, added.size()));
  }

  @SuppressWarnings("unchecked")
  private void collectNew(Map<String, Object> object, String prefix, Set<String> added) {
    object.forEach((name, value) -> {
      String path = prefix + name;
      if (value instanceof Map<?, ?> map) {
        collectNew((Map<String, Object>) map, path + ".", added);
      } else if (value instanceof List<?> list) {
        if (collectNew(list, path, added) && target.adds(path)) {
          added.add(path);
        }
      } else if (value != null && target.adds(path)) {
        added.add(path);
      }
    });
  }

  /** Whether a list holds values beside objects; one that holds nothing adds no field. */
  @SuppressWarnings("unchecked")
  private boolean collectNew(List<?> list, String path, Set<String> added) {
    boolean values = false;
    for (Object element : list) {
      if (element instanceof Map<?, ?> map) {
        collectNew((Map<String, Object>) map, path + ".", added);
      } else {
        values |=
            element instanceof List<?> inner ? collectNew(inner, path, added) : element != null;
      }
    }
    return values;
  }

  private boolean parses(Map<String, Object> document) {
    work -= size(document);
    if (work < 0) {
      return false;
    }
    try {
      target.parse(document);
      return true;
    } catch (Exception e) {
      return false;
    }
  }

  private @Nullable Mapping update(Map<String, Object> document) {
    try {
      return target.parse(document).dynamicMappingsUpdate();
    } catch (Exception e) {
      throw new IllegalStateException("the parts of a document were taken, the whole is not", e);
    }
  }

  /** The entries of an object that the mapping takes together. */
  private Map<String, Object> entries(
      Map<String, Object> object, UnaryOperator<Map<String, Object>> document, String prefix) {
    Map<String, Object> taken = new LinkedHashMap<>();
    addEntries(taken, List.copyOf(object.keySet()), object, document, prefix);
    return taken;
  }

  private void addEntries(
      Map<String, Object> taken,
      List<String> names,
      Map<String, Object> object,
      UnaryOperator<Map<String, Object>> document,
      String prefix) {
    if (names.isEmpty()) {
      return;
    }
    if (work < 0) {
      names.forEach(name -> leaveOut(prefix + name, object.get(name)));
      return;
    }
    Map<String, Object> tried = new LinkedHashMap<>(taken);
    names.forEach(name -> tried.put(name, object.get(name)));
    if (parses(document.apply(tried))) {
      taken.putAll(tried);
    } else if (names.size() > 1) {
      int half = names.size() / 2;
      addEntries(taken, names.subList(0, half), object, document, prefix);
      addEntries(taken, names.subList(half, names.size()), object, document, prefix);
    } else {
      String name = names.getFirst();
      Map<String, Object> before = new LinkedHashMap<>(taken);
      Object part =
          part(
              prefix + name,
              object.get(name),
              value -> {
                Map<String, Object> with = new LinkedHashMap<>(before);
                with.put(name, value);
                return document.apply(with);
              });
      if (part != null) {
        taken.put(name, part);
      }
    }
  }

  /** Puts a value in its place in the document. */
  private interface Place {
    Map<String, Object> with(Object value);
  }

  /** What the mapping takes of a value that it does not take whole; null if nothing. */
  @SuppressWarnings("unchecked")
  private @Nullable Object part(String path, @Nullable Object value, Place place) {
    if (value instanceof Map<?, ?> map && !map.isEmpty() && parses(place.with(Map.of()))) {
      Map<String, Object> inner = entries((Map<String, Object>) map, place::with, path + ".");
      return inner.isEmpty() ? null : inner;
    }
    if (value instanceof List<?> list && list.size() > 1) {
      List<Object> taken = new ArrayList<>();
      addElements(taken, (List<Object>) list, path, place);
      return taken.isEmpty() ? null : taken;
    }
    if (value instanceof List<?> list && list.size() == 1) {
      return part(path, list.getFirst(), place);
    }
    if (value instanceof LooseJson.Num number && target.adds(path)) {
      // what the mapping gets for a new field decides how a later copy reads this document: nothing
      // would let a text field come later, which takes the number that was left out here
      String text = number.text();
      if (parses(place.with(text))) {
        return text;
      }
    }
    leaveOut(path, value);
    return null;
  }

  private void addElements(List<Object> taken, List<Object> elements, String path, Place place) {
    if (work < 0) {
      elements.forEach(element -> leaveOut(path, element));
      return;
    }
    List<Object> tried = new ArrayList<>(taken);
    tried.addAll(elements);
    if (parses(place.with(tried))) {
      taken.addAll(elements);
    } else if (elements.size() > 1) {
      int half = elements.size() / 2;
      addElements(taken, elements.subList(0, half), path, place);
      addElements(taken, elements.subList(half, elements.size()), path, place);
    } else {
      List<Object> before = new ArrayList<>(taken);
      Object part =
          part(
              path,
              elements.getFirst(),
              value -> {
                List<Object> with = new ArrayList<>(before);
                with.add(value);
                return place.with(with);
              });
      if (part != null) {
        taken.add(part);
      }
    }
  }

  private void leaveOut(String path, @Nullable Object value) {
    List<Object> values = leftOut.computeIfAbsent(path, unused -> new ArrayList<>());
    if (value != null) {
      values.add(value);
    }
  }

  /**
   * Leaves new fields out until the mapping takes the rest of them.
   *
   * <p>Fields are taken in the order of the document, for as long as there is room before each. So
   * the first field that is refused means that there is no room for any other either: a field that
   * a primary refused is not there when a replica parses the document against a later mapping.
   */
  private Map<String, Object> withinLimits(Map<String, Object> document, Mapping update) {
    Set<String> names = new LinkedHashSet<>();
    collectNew(document, "", names);
    names.addAll(target.added(update));
    Set<String> refused = new LinkedHashSet<>(names);
    full = target.room() < 0;
    admit(document, List.copyOf(names), refused);
    beyondLimits.addAll(refused);
    Map<String, Object> rest = without(document, refused, "");
    forEachLeaf(document, refused, "");
    return rest;
  }

  /** Takes those of these fields out of the refused ones that the mapping takes in this order. */
  private void admit(Map<String, Object> document, List<String> fields, Set<String> refused) {
    if (full || fields.isEmpty()) {
      return;
    }
    Set<String> others = new LinkedHashSet<>(refused);
    fields.forEach(others::remove);
    Set<String> othersAndLast = new LinkedHashSet<>(others);
    othersAndLast.add(fields.getLast());
    Map<String, Object> before = without(document, othersAndLast, "");
    Map<String, Object> all = without(document, others, "");
    work -= size(before) + size(all);
    if (work < 0) {
      full = true;
      return;
    }
    Mapping updateBefore = update(before);
    boolean room = updateBefore == null || target.cost(updateBefore) <= target.room();
    Mapping update = room ? update(all) : null;
    if (room && (update == null || target.takes(update))) {
      fields.forEach(refused::remove);
    } else if (fields.size() > 1) {
      int half = fields.size() / 2;
      admit(document, fields.subList(0, half), refused);
      admit(document, fields.subList(half, fields.size()), refused);
    } else {
      full = !room;
    }
  }

  @SuppressWarnings("unchecked")
  private void forEachLeaf(Map<String, Object> object, Set<String> refused, String prefix) {
    object.forEach((name, value) -> {
      String path = prefix + name;
      if (refused.contains(path)) {
        leaveOut(path, value);
      } else if (value instanceof Map<?, ?> map) {
        forEachLeaf((Map<String, Object>) map, refused, path + ".");
      } else if (value instanceof List<?> list) {
        forEachLeaf(list, refused, path + ".");
      }
    });
  }

  @SuppressWarnings("unchecked")
  private void forEachLeaf(List<?> list, Set<String> refused, String prefix) {
    for (Object element : list) {
      if (element instanceof Map<?, ?> map) {
        forEachLeaf((Map<String, Object>) map, refused, prefix);
      } else if (element instanceof List<?> inner) {
        forEachLeaf(inner, refused, prefix);
      }
    }
  }
}
