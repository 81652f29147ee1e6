/**
 * The expert for clusters of OpenSearch and Elasticsearch: what is wrong, why it hurts, and the
 * cure.
 *
 * <p>Reading order: {@code snapshot} (what is read of a cluster, within which bounds), {@code
 * finding} (what a finding says), {@code check} (one rule per class), {@code catalogue} (all of
 * them, and their page), {@code report} (text, JSON, HTML, SARIF), {@code change} (settings that
 * can be undone), {@code tune}, {@code gc}, {@code top}.
 */
@NullMarked
package io.millrace.doctor;

import org.jspecify.annotations.NullMarked;
