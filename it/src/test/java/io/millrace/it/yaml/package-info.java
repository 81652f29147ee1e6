/** The official REST YAML suite of OpenSearch against our distribution. */
@NullMarked
package io.millrace.it.yaml;

import org.jspecify.annotations.NullMarked;
