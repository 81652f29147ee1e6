@NullMarked
package io.millrace.it.storage;

import org.jspecify.annotations.NullMarked;
