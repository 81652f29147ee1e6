/** What a finding says: what, the numbers, why, the cure, its undo. */
@NullMarked
package io.millrace.doctor.finding;

import org.jspecify.annotations.NullMarked;
