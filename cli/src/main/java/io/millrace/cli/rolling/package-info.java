/** How is a whole cluster restarted without anybody noticing? */
@NullMarked
package io.millrace.cli.rolling;

import org.jspecify.annotations.NullMarked;
