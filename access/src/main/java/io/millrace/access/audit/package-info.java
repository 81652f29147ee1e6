/** What is written down of who did what. */
@NullMarked
package io.millrace.access.audit;

import org.jspecify.annotations.NullMarked;
