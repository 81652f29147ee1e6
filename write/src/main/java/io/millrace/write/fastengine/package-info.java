/**
 * {@code write.fast-engine}: JSON to Lucene document in one pass over the bytes, with stock's
 * parser for everything that is not provably the same.
 *
 * <p>Reading order: {@link io.millrace.write.fastengine.FastEngineFeature} (settings, metrics),
 * {@link io.millrace.write.fastengine.FastParser} (one shard), {@link
 * io.millrace.write.fastengine.PlanCompiler} (mapping to plan), {@link
 * io.millrace.write.fastengine.CoveredTypes} (the field types, each with what it covers and its
 * writer), {@link io.millrace.write.fastengine.DocumentReader} (JSON and plan to fields), {@link
 * io.millrace.write.fastengine.JsonBytes} and the field writers.
 */
@NullMarked
package io.millrace.write.fastengine;

import org.jspecify.annotations.NullMarked;
