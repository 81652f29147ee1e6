/**
 * OTLP over HTTP. To read in this order: {@link io.millrace.pipelines.otlp.RestOtlpAction}, {@link
 * io.millrace.pipelines.otlp.JsonToWire}, {@link io.millrace.pipelines.otlp.RecordPlaces}, {@link
 * io.millrace.pipelines.otlp.OtlpDocuments}.
 */
@NullMarked
package io.millrace.pipelines.otlp;

import org.jspecify.annotations.NullMarked;
