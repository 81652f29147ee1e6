/**
 * A feature from A to Z, as CONTRIBUTING shows it: kept here so that the page compiles and runs.
 * Read {@link io.millrace.plugin.example.SeverityFeature} first.
 */
@NullMarked
package io.millrace.plugin.example;

import org.jspecify.annotations.NullMarked;
