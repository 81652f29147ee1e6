/** Space and speed of the nodes' disks. */
@NullMarked
package io.millrace.doctor.check.disk;

import org.jspecify.annotations.NullMarked;
