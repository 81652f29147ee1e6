/**
 * HTTP to one cluster: {@link io.millrace.client.ClusterClient} is the one way there for the
 * commands, the launcher, the test kit and the benchmarks. Knows OpenSearch by its REST interface
 * only.
 *
 * <p>Reading order: {@link io.millrace.client.ClientOptions} (which addresses, who asks, which
 * limits), {@link io.millrace.client.Request}, {@link io.millrace.client.ClusterClient}, {@link
 * io.millrace.client.Answer}; {@code Endpoints}, {@code ClusterIdentity} and {@code
 * PublishedAddresses} say to which of a cluster's addresses a request may go.
 */
@NullMarked
package io.millrace.client;

import org.jspecify.annotations.NullMarked;
