package io.millrace.write.profiles;

import io.millrace.kernel.NodeServices;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.ActionOrder;
import io.millrace.kernel.slot.RefusingFilter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.admin.indices.mapping.put.PutMappingRequest;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.index.Index;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.mapper.MatchOnlyTextFieldMapper;

/**
 * Keeps fields that a derived source cannot give back out of an index that has one: a {@code
 * match_only_text} field holds nothing from which its value could be made, so stock takes the
 * documents and gives them back without the field.
 *
 * <p>New indices are refused by the validator of {@link ProfilesFeature}; this filter refuses what
 * would come later, by a put-mapping request or by a document through a dynamic template (both are
 * a {@link PutMappingRequest}; PutMappingAction and AutoPutMappingAction at 3.8.0).
 */
final class LossyMappings extends RefusingFilter {
  /** Whether such fields are kept out of an index; false takes them as stock does. */
  static final Setting<Boolean> LOSSLESS =
      Checked.flag(
          "index.millrace.derived_source.lossless", true, Property.IndexScope, Property.Dynamic);

  private final Switch enabled;
  private volatile @Nullable NodeServices services;

  LossyMappings(Switch enabled) {
    super(ActionOrder.VALIDATE);
    this.enabled = enabled;
  }

  void start(NodeServices node) {
    services = node;
  }

  @Override
  protected @Nullable Exception refusal(String action, ActionRequest request) {
    NodeServices node = services;
    if (request instanceof PutMappingRequest mapping
        && node != null
        && enabled.on()
        && mapping.source() != null
        // most mappings: not even parsed
        && mapping.source().contains(MatchOnlyTextFieldMapper.CONTENT_TYPE)) {
      String lossy = lossyField(parse(mapping.source()), "");
      return lossy != null && anyDerives(mapping, node) ? refusal(lossy) : null;
    }
    return null;
  }

  /** The error for a field, whichever way it comes. */
  static IllegalArgumentException refusal(String field) {
    return new IllegalArgumentException(
        "field ["
            + field
            + "] of type [match_only_text] would be lost from _source with"
            + " [index.derived_source.enabled]: set [store] on the field, use type [text],"
            + " leave derived source off, or set ["
            + LOSSLESS.getKey()
            + ": false] to lose the field as stock does");
  }

  private static boolean anyDerives(PutMappingRequest mapping, NodeServices node) {
    ClusterState state = node.clusterService().state();
    Index one = mapping.getConcreteIndex();
    Index[] indices =
        one != null
            ? new Index[] {one}
            : node.indexNameExpressionResolver().concreteIndices(state, mapping);
    for (Index index : indices) {
      IndexMetadata found = state.metadata().index(index);
      if (found != null
          && IndexSettings.INDEX_DERIVED_SOURCE_SETTING.get(found.getSettings())
          && LOSSLESS.get(found.getSettings())) {
        return true;
      }
    }
    return false;
  }

  private static Map<String, Object> parse(String source) {
    Map<String, Object> mapping =
        XContentHelper.convertToMap(new BytesArray(source), false, MediaTypeRegistry.JSON).v2();
    return mapping.size() == 1
            && mapping.values().iterator().next() instanceof Map<?, ?> inner
            && !mapping.containsKey("properties")
        ? strings(inner)
        : mapping;
  }

  /**
   * The full name of the first field that would be lost, or null; multi-fields are of no account.
   */
  static @Nullable String lossyField(Map<String, Object> object, String prefix) {
    if (!(object.get("properties") instanceof Map<?, ?> properties)) {
      return null;
    }
    for (Map.Entry<String, Object> entry : strings(properties).entrySet()) {
      if (!(entry.getValue() instanceof Map<?, ?> raw)) {
        continue;
      }
      Map<String, Object> field = strings(raw);
      String name = prefix + entry.getKey();
      if (MatchOnlyTextFieldMapper.CONTENT_TYPE.equals(field.get("type"))
          && !XContentMapValues.nodeBooleanValue(field.get("store"), false)) {
        return name;
      }
      String below = lossyField(field, name + ".");
      if (below != null) {
        return below;
      }
    }
    return null;
  }

  @SuppressWarnings("unchecked") // what an XContent parser gives has string keys
  private static Map<String, Object> strings(Map<?, ?> map) {
    return (Map<String, Object>) map;
  }
}
