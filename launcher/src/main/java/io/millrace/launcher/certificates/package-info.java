/** Who a node is to its clients and to its peers: authorities, certificates and their files. */
@NullMarked
package io.millrace.launcher.certificates;

import org.jspecify.annotations.NullMarked;
