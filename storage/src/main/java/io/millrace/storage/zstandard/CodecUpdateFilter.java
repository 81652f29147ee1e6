package io.millrace.storage.zstandard;

import io.millrace.kernel.slot.ActionOrder;
import io.millrace.kernel.slot.RefusingFilter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.admin.indices.settings.put.UpdateSettingsAction;
import org.opensearch.action.admin.indices.settings.put.UpdateSettingsRequest;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.engine.EngineConfig;

/**
 * Refuses to give a closed index a codec that new indices may not have.
 *
 * <p>Creation has a validator of its own
 * (MetadataCreateIndexService#updateIndexMappingsAndBuildSortOrder), an update of settings has
 * none; this filter reads nothing but the one setting of the one action.
 */
public final class CodecUpdateFilter extends RefusingFilter {
  private final Function<String, @Nullable String> refusal;

  /**
   * @param refusal the reason why an index may not be given this codec now, or null
   */
  public CodecUpdateFilter(Function<String, @Nullable String> refusal) {
    super(ActionOrder.VALIDATE);
    this.refusal = refusal;
  }

  @Override
  protected @Nullable Exception refusal(String action, ActionRequest request) {
    if (!UpdateSettingsAction.NAME.equals(action)
        || !(request instanceof UpdateSettingsRequest put)) {
      return null;
    }
    // stock adds a missing prefix only later (MetadataUpdateSettingsService#updateSettings)
    String codec =
        Settings.builder()
            .put(put.settings())
            .normalizePrefix(IndexMetadata.INDEX_SETTING_PREFIX)
            .build()
            .get(EngineConfig.INDEX_CODEC_SETTING.getKey());
    String reason = codec == null ? null : refusal.apply(codec);
    return reason == null ? null : new IllegalArgumentException(reason);
  }
}
