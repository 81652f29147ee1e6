/**
 * What the ways in have in common: documents of one request are written some megabytes at a time
 * through the ordinary bulk action, and the client is answered when they are.
 */
@NullMarked
package io.millrace.pipelines.intake;

import org.jspecify.annotations.NullMarked;
