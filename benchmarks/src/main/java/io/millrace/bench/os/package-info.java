/** What the operating system says about a process and about the machine. */
@NullMarked
package io.millrace.bench.os;

import org.jspecify.annotations.NullMarked;
