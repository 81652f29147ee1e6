/**
 * What a feature may hook into: one file per plugin interface of OpenSearch.
 *
 * <p>Each file holds the methods that a feature sees, the collector that keeps what was declared,
 * and the adapter through which OpenSearch asks for it. To read in this order: {@link
 * io.millrace.kernel.hooks.Hooks}, {@link io.millrace.kernel.hooks.AnalysisHooks} (the plainest of
 * them), {@link io.millrace.kernel.hooks.HookRegistry}.
 *
 * <p>To add a kind of hook, write such a file and name its two interfaces in the {@code extends}
 * list of {@code Hooks} and in the {@code implements} list of {@code FeaturePlugin}. An adapter
 * must answer empty while nothing is declared: OpenSearch asks every plugin, and a stock node must
 * stay as it is.
 */
@NullMarked
package io.millrace.kernel.hooks;

import org.jspecify.annotations.NullMarked;
