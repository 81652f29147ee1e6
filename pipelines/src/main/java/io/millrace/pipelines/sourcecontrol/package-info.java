/**
 * Who writes how much, and who writes too much. To read in this order: {@link
 * io.millrace.pipelines.sourcecontrol.DocumentScan}, {@link
 * io.millrace.pipelines.sourcecontrol.SourceLedger}, {@link
 * io.millrace.pipelines.sourcecontrol.Budget}, {@link
 * io.millrace.pipelines.sourcecontrol.SourceFilter}.
 */
@NullMarked
package io.millrace.pipelines.sourcecontrol;

import org.jspecify.annotations.NullMarked;
