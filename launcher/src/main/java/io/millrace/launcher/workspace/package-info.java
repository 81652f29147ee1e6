/** Where trees and state are, and whose: what root may touch and what it gives away. */
@NullMarked
package io.millrace.launcher.workspace;

import org.jspecify.annotations.NullMarked;
