/** What is compared with what, and which goal the figures are held against. */
@NullMarked
package io.millrace.bench.scenario;

import org.jspecify.annotations.NullMarked;
