package io.millrace.cli.ingest;

import io.millrace.cli.ingest.lines.LineOptions;
import java.util.Map;

/**
 * How inputs are read.
 *
 * @param format what the lines are
 * @param lines how plain lines and the times of JSON documents are read
 * @param maxLine longest line, bytes; a longer one is refused
 * @param maxEvent longest event of several joined lines, bytes
 * @param join whether stack traces are joined to the line before them
 * @param keepOriginal whether {@code event.original} holds the line as it was
 * @param exactlyOnce whether documents get ids that make sending them twice harmless
 * @param fields fields added to each plain line
 */
record ReaderOptions(
    Format format,
    LineOptions lines,
    int maxLine,
    int maxEvent,
    boolean join,
    boolean keepOriginal,
    boolean exactlyOnce,
    Map<String, String> fields) {}
