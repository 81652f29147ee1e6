/** Every check in its order, their run over a snapshot, and the page that lists them. */
@NullMarked
package io.millrace.doctor.catalogue;

import org.jspecify.annotations.NullMarked;
