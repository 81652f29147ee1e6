/**
 * What OpenSearch gives once per node or index and several features need: each slot folds what they
 * bring into the one thing that OpenSearch takes.
 *
 * <p>Knows neither features nor hooks: {@code io.millrace.kernel.hooks} collects, this package
 * folds.
 */
@NullMarked
package io.millrace.kernel.slot;

import org.jspecify.annotations.NullMarked;
