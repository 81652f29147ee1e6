/** Indices, shards, replicas, names and templates. */
@NullMarked
package io.millrace.doctor.check.layout;

import org.jspecify.annotations.NullMarked;
