/** An index of the profile {@code logs} and its twin of stock's types on one node, asked alike. */
@NullMarked
package io.millrace.it.twins;

import org.jspecify.annotations.NullMarked;
