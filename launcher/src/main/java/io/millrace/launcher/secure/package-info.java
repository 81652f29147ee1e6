/**
 * What makes the nodes of this machine secured ones, and how the launcher itself reaches them: TLS
 * by the workspace's own authority, and a credential that only the server's user can read.
 */
@NullMarked
package io.millrace.launcher.secure;

import org.jspecify.annotations.NullMarked;
