/** {@code _source} stored as columns: the format, its codec and the feature that registers it. */
@NullMarked
package io.millrace.storage.columnarsource;

import org.jspecify.annotations.NullMarked;
