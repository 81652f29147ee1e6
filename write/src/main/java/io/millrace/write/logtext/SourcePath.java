package io.millrace.write.logtext;

import java.util.Map;
import java.util.Set;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.index.mapper.ObjectMapper;
import org.opensearch.index.mapper.SourceFieldMapper;
import org.opensearch.index.query.QueryShardContext;

/**
 * Whether a field's values stand in the stored source where stock's SourceFieldMatchQuery looks for
 * them. Where they do not, templates must not decide a phrase: which documents have a template
 * differs from copy to copy, and a phrase would be found in those alone.
 */
final class SourcePath {
  private SourcePath() {}

  /**
   * False for a field in a {@code nested} object (its documents have no source), for one that the
   * filters of {@code _source} may leave out, and for a target of {@code copy_to} (a value has to
   * stand at every path that is copied, SourceValueFetcher#fetchValues at 3.8.0).
   */
  static boolean isReadable(String field, QueryShardContext context) {
    Set<String> paths = context.sourcePath(field);
    return paths.size() == 1
        && !isNested(field, context)
        && isKept(paths.iterator().next(), context.documentMapper("").sourceMapper());
  }

  private static boolean isNested(String field, QueryShardContext context) {
    for (int dot = field.indexOf('.'); dot > 0; dot = field.indexOf('.', dot + 1)) {
      ObjectMapper object = context.getObjectMapper(field.substring(0, dot));
      if (object != null && object.nested().isNested()) {
        return true;
      }
    }
    return false;
  }

  /** Asks stock's own filter, with a source that holds nothing but the path. */
  private static boolean isKept(String path, SourceFieldMapper source) {
    if (source.isComplete()) {
      return true;
    }
    String[] names = path.split("\\.");
    Map<String, Object> sample = Map.of(names[names.length - 1], "");
    for (int i = names.length - 2; i >= 0; i--) {
      sample = Map.of(names[i], sample);
    }
    Map<String, Object> kept =
        XContentMapValues.filter(
            sample,
            source.getIncludes().toArray(new String[0]),
            source.getExcludes().toArray(new String[0]));
    return XContentMapValues.extractValue(path, kept) != null;
  }
}
