/** Log shippers as their users install them, with the configurations of the page about them. */
@NullMarked
package io.millrace.it.shippers;

import org.jspecify.annotations.NullMarked;
