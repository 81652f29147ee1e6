/** How users, roles and keys are changed: the REST API and the actions behind it. */
@NullMarked
package io.millrace.access.admin;

import org.jspecify.annotations.NullMarked;
