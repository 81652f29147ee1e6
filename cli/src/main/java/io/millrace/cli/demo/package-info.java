/** What {@code millrace up --demo} shows on a fresh node. */
@NullMarked
package io.millrace.cli.demo;

import org.jspecify.annotations.NullMarked;
