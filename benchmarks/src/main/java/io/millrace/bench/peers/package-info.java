/** Other stores of logs beside stock and Millrace: the same documents, the same five searches. */
@NullMarked
package io.millrace.bench.peers;

import org.jspecify.annotations.NullMarked;
