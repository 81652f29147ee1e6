/**
 * SkyWalking's OAP, as it is on Maven Central, on stock and on Millrace. To read first: {@link
 * io.millrace.it.skywalking.SkyWalkingIT}.
 */
@NullMarked
package io.millrace.it.skywalking;

import org.jspecify.annotations.NullMarked;
