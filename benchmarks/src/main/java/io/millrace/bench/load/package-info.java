/** HTTP to the node under test: bulk loading and searching with a client that costs little. */
@NullMarked
package io.millrace.bench.load;

import org.jspecify.annotations.NullMarked;
