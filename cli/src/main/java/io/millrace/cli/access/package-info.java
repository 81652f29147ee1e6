/** Users, roles and keys of a cluster from the command line, over its REST API. */
@NullMarked
package io.millrace.cli.access;

import org.jspecify.annotations.NullMarked;
