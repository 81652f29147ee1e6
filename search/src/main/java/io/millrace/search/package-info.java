/** What a search may ask beyond stock, which copies it asks, and in which form it answers. */
@NullMarked
package io.millrace.search;

import org.jspecify.annotations.NullMarked;
