/**
 * {@code doctor}, {@code tune}, {@code gc} and {@code top}: options only; the work is in {@code
 * io.millrace.doctor}.
 */
@NullMarked
package io.millrace.cli.expert;

import org.jspecify.annotations.NullMarked;
