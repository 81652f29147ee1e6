/**
 * What a log line says about itself: its time, level, host and message, by formats and by rules.
 */
@NullMarked
package io.millrace.cli.ingest.lines;

import org.jspecify.annotations.NullMarked;
