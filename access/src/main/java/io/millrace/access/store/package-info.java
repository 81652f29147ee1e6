/** Users, roles and keys as the cluster keeps them, and what they add up to for somebody. */
@NullMarked
package io.millrace.access.store;

import org.jspecify.annotations.NullMarked;
