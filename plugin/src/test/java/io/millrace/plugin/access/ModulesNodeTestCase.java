package io.millrace.plugin.access;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.opensearch.index.rankeval.RankEvalModulePlugin;
import org.opensearch.index.reindex.ReindexModulePlugin;
import org.opensearch.ingest.common.IngestCommonModulePlugin;
import org.opensearch.join.ParentJoinModulePlugin;
import org.opensearch.painless.PainlessModulePlugin;
import org.opensearch.percolator.PercolatorModulePlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.script.mustache.MustacheModulePlugin;

/**
 * The same node with the modules of the distribution that bring actions or requests in requests.
 */
public abstract class ModulesNodeTestCase extends AccessNodeTestCase {
  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.addAll(
        List.of(
            IngestCommonModulePlugin.class,
            MustacheModulePlugin.class,
            PainlessModulePlugin.class,
            ParentJoinModulePlugin.class,
            PercolatorModulePlugin.class,
            RankEvalModulePlugin.class,
            ReindexModulePlugin.class));
    return plugins;
  }
}
