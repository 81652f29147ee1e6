/**
 * TLS from PEM files: for HTTP, and between nodes with certificates on both sides.
 *
 * <p>Reading order: {@link io.millrace.access.tls.TlsFeature}, {@code TlsProvider} (what OpenSearch
 * asks for), {@code LiveTls} (files that change), {@code KeyMaterial} (what is in them).
 */
@NullMarked
package io.millrace.access.tls;

import org.jspecify.annotations.NullMarked;
