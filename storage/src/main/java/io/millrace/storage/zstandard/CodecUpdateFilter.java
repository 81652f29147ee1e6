package io.millrace.storage.zstandard;

import io.millrace.kernel.slot.ActionOrder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.admin.indices.settings.put.UpdateSettingsAction;
import org.opensearch.action.admin.indices.settings.put.UpdateSettingsRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.tasks.Task;

/**
 * Refuses to give a closed index a codec that new indices may not have.
 *
 * <p>Creation has a validator of its own
 * (MetadataCreateIndexService#updateIndexMappingsAndBuildSortOrder), an update of settings has
 * none; this filter reads nothing but the one setting of the one action.
 */
public final class CodecUpdateFilter implements ActionFilter {
  private final Function<String, @Nullable String> refusal;

  /**
   * @param refusal the reason why an index may not be given this codec now, or null
   */
  public CodecUpdateFilter(Function<String, @Nullable String> refusal) {
    this.refusal = refusal;
  }

  @Override
  public int order() {
    return ActionOrder.VALIDATE.order();
  }

  @Override
  public <Request extends ActionRequest, Response extends ActionResponse> void apply(
      Task task,
      String action,
      Request request,
      ActionRequestMetadata<Request, Response> metadata,
      ActionListener<Response> listener,
      ActionFilterChain<Request, Response> chain) {
    if (UpdateSettingsAction.NAME.equals(action) && request instanceof UpdateSettingsRequest put) {
      // stock adds a missing prefix only later (MetadataUpdateSettingsService#updateSettings)
      String codec =
          Settings.builder()
              .put(put.settings())
              .normalizePrefix(IndexMetadata.INDEX_SETTING_PREFIX)
              .build()
              .get(EngineConfig.INDEX_CODEC_SETTING.getKey());
      String reason = codec == null ? null : refusal.apply(codec);
      if (reason != null) {
        listener.onFailure(new IllegalArgumentException(reason));
        return;
      }
    }
    chain.proceed(task, action, request, listener);
  }
}
