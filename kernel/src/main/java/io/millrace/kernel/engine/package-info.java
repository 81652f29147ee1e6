/** The one engine slot of an index, shared by every feature that needs it. */
@NullMarked
package io.millrace.kernel.engine;

import org.jspecify.annotations.NullMarked;
