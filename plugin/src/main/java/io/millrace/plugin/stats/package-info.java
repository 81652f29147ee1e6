/**
 * What runs where and what it counted: {@code GET /_millrace}, {@code GET /_millrace/stats} and
 * {@code GET /_cat/millrace}.
 */
@NullMarked
package io.millrace.plugin.stats;

import org.jspecify.annotations.NullMarked;
