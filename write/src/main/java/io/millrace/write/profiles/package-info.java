/** Index profiles: the defaults that logs, traces and search each need, by one setting. */
@NullMarked
package io.millrace.write.profiles;

import org.jspecify.annotations.NullMarked;
