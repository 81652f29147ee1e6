/** The keystore command: secure settings of a node, kept encrypted beside its configuration. */
@NullMarked
package io.millrace.keystore;

import org.jspecify.annotations.NullMarked;
