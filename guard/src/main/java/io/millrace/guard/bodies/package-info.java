/** What do the bodies of requests take once they are maps and lists? */
@NullMarked
package io.millrace.guard.bodies;

import org.jspecify.annotations.NullMarked;
