package io.millrace.kernel.settings;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.cluster.ClusterStateUpdateTask;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.Priority;
import org.opensearch.common.settings.AbstractScopedSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.gateway.GatewayService;

/**
 * Gives settings back that a start without the plugin has put aside. A node that does not know a
 * setting of an index, or of the cluster, keeps its value under {@code archived.<key>} ({@code
 * AbstractScopedSettings#archiveUnknownOrInvalidSettings}), where it has no effect; and one that is
 * fixed when the index is created could never be set again.
 *
 * <p>The elected cluster manager renames them in one change of the cluster state, when it is
 * elected or has just read the state from disk. That is the most urgent task there is, so on a
 * start of all nodes it precedes the opening of shards, which waits for answers of the nodes.
 */
public final class ArchivedSettings implements ClusterStateListener {
  private static final Logger LOG = LogManager.getLogger(ArchivedSettings.class);
  private static final String ARCHIVED = AbstractScopedSettings.ARCHIVED_SETTINGS_PREFIX;

  private final ClusterService clusterService;
  private final List<Setting<?>> known;

  /**
   * @param known the settings to give back, of nodes and of indices
   */
  public ArchivedSettings(ClusterService clusterService, List<Setting<?>> known) {
    this.clusterService = clusterService;
    this.known = List.copyOf(known);
  }

  @Override
  public void clusterChanged(ClusterChangedEvent event) {
    if (responsible(event.state()) && !responsible(event.previousState())) {
      Set<String> open = new TreeSet<>();
      if (restored(event.state(), open) != event.state()) {
        submit();
      }
    }
  }

  private static boolean responsible(ClusterState state) {
    return state.nodes().isLocalNodeElectedClusterManager()
        && !state.blocks().hasGlobalBlock(GatewayService.STATE_NOT_RECOVERED_BLOCK);
  }

  private void submit() {
    clusterService.submitStateUpdateTask(
        "millrace-archived-settings",
        new ClusterStateUpdateTask(Priority.IMMEDIATE) {
          private final Set<String> open = new TreeSet<>();

          @Override
          public ClusterState execute(ClusterState current) {
            open.clear();
            return restored(current, open);
          }

          @Override
          public void onFailure(String source, Exception e) {
            LOG.error("settings that a start without the plugin archived are still archived", e);
          }

          @Override
          public void clusterStateProcessed(
              String source, ClusterState before, ClusterState after) {
            LOG.info("settings that a start without the plugin archived are in force again");
            if (!open.isEmpty()) {
              LOG.warn(
                  "shards of {} were opened before: they write as their settings say once they are"
                      + " opened anew (_close and _open, or a restart of their nodes)",
                  open);
            }
          }
        });
  }

  private ClusterState restored(ClusterState state, Set<String> open) {
    Metadata metadata = state.metadata();
    Metadata.Builder builder = Metadata.builder(metadata);
    boolean changed = false;
    Settings ofCluster = restored(metadata.persistentSettings(), known);
    if (ofCluster != metadata.persistentSettings()) {
      builder.persistentSettings(ofCluster);
      changed = true;
    }
    for (IndexMetadata index : metadata) {
      Settings ofIndex = restored(index.getSettings(), known);
      if (ofIndex != index.getSettings()) {
        builder.put(
            IndexMetadata.builder(index)
                .settings(ofIndex)
                .settingsVersion(index.getSettingsVersion() + 1));
        changed = true;
        if (state.routingTable().hasIndex(index.getIndex())
            && state.routingTable().index(index.getIndex()).primaryShardsActive() > 0) {
          open.add(index.getIndex().getName());
        }
      }
    }
    return changed ? ClusterState.builder(state).metadata(builder).build() : state;
  }

  /**
   * Settings with every archived one renamed that is among the known, is valid and was not set anew
   * meanwhile; the same object when there is none.
   */
  static Settings restored(Settings settings, List<Setting<?>> known) {
    Settings.Builder out = null;
    for (String key : settings.keySet()) {
      if (!key.startsWith(ARCHIVED)) {
        continue;
      }
      String original = key.substring(ARCHIVED.length());
      if (!settings.hasValue(original) && valid(settings, key, original, known)) {
        out = out == null ? Settings.builder().put(settings) : out;
        out.remove(key);
        out.copy(original, key, settings);
      }
    }
    return out == null ? settings : out.build();
  }

  private static boolean valid(
      Settings settings, String key, String original, List<Setting<?>> known) {
    for (Setting<?> setting : known) {
      if (setting.match(original)) {
        try {
          setting.get(Settings.builder().copy(original, key, settings).build());
          return true;
        } catch (IllegalArgumentException e) {
          LOG.warn("[{}] stays archived: {}", original, e.getMessage());
          return false;
        }
      }
    }
    return false;
  }
}
