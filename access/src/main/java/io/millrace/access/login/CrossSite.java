package io.millrace.access.login;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.opensearch.rest.RestRequest;

/**
 * Whether a page of another site made a browser send a request.
 *
 * <p>A browser keeps a name and a password and sends them for any page that asks for this address.
 * It also says whose page it was: in {@code Sec-Fetch-Site} over TLS and on this machine, else in
 * {@code Origin}, or in {@code Referer} where it is old. A page cannot change these headers, and
 * other clients send none of them. Reading is harmless, because a page cannot read what another
 * site answers.
 */
final class CrossSite {
  private static final Set<RestRequest.Method> READING =
      Set.of(RestRequest.Method.GET, RestRequest.Method.HEAD, RestRequest.Method.OPTIONS);

  private CrossSite() {}

  /**
   * @param header the first value of a header, null without one
   */
  static boolean writes(RestRequest.Method method, Function<String, @Nullable String> header) {
    if (READING.contains(method)) {
      return false;
    }
    String site = header.apply("Sec-Fetch-Site");
    if (site != null) {
      return !List.of("same-origin", "none").contains(site);
    }
    String page = header.apply("Origin");
    if (page == null) {
      page = header.apply("Referer");
    }
    return page != null && !authority(page).equals(here(header.apply("Host"), page));
  }

  /** Host and port of a page; nothing that equals a host where it has none. */
  private static String authority(String page) {
    try {
      URI uri = URI.create(page);
      String authority = uri.getRawAuthority();
      return authority == null ? "of no page" : plain(authority, uri.getScheme());
    } catch (IllegalArgumentException e) {
      return "of no page";
    }
  }

  private static String here(@Nullable String host, String page) {
    return host == null ? "" : plain(host, page.startsWith("https:") ? "https" : "http");
  }

  private static String plain(String authority, @Nullable String scheme) {
    String port = "https".equals(scheme) ? ":443" : ":80";
    String lower = authority.strip().toLowerCase(Locale.ROOT);
    return lower.endsWith(port) ? lower.substring(0, lower.length() - port.length()) : lower;
  }
}
