package io.millrace.observe.html;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;

/**
 * A page as it lies in the jar: one file with its script and style inside, so that one request
 * shows it and nothing else has to be found, cached or allowed.
 *
 * <p>Its Content-Security-Policy names exactly the scripts and styles in the file, by their SHA-256
 * (CSP level 3, 'sha256-' sources), and allows requests to this node only: markup that an index
 * name or a log line smuggled in would neither run nor send anything.
 */
public final class HtmlFile {
  /** Times the page was sent. */
  public final LongAdder served = new LongAdder();

  private static final Pattern SCRIPT =
      Pattern.compile("<script(?: [^>]*)?>(.*?)</script>", Pattern.DOTALL);
  private static final Pattern STYLE =
      Pattern.compile("<style(?: [^>]*)?>(.*?)</style>", Pattern.DOTALL);

  private final BytesArray html;
  private final String etag;
  private final String policy;

  /**
   * @param page UTF-8
   */
  public HtmlFile(byte[] page) {
    this.html = new BytesArray(page);
    this.etag = '"' + HexFormat.of().formatHex(sha256(page), 0, 16) + '"';
    String text = new String(page, StandardCharsets.UTF_8);
    this.policy =
        "default-src 'none'; script-src "
            + hashes(SCRIPT, text)
            + "; style-src "
            + hashes(STYLE, text)
            + "; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none';"
            + " frame-ancestors 'none'";
  }

  /** The page, or 304 where the browser has it. */
  public RestResponse answer(RestRequest request) {
    served.increment();
    boolean has =
        Optional.ofNullable(header(request, "if-none-match"))
            .filter(value -> value.contains(etag))
            .isPresent();
    BytesRestResponse answer =
        has
            ? new BytesRestResponse(
                RestStatus.NOT_MODIFIED, "text/html; charset=UTF-8", BytesArray.EMPTY)
            : new BytesRestResponse(RestStatus.OK, "text/html; charset=UTF-8", html);
    answer.addHeader("ETag", etag);
    answer.addHeader("Cache-Control", "no-cache");
    answer.addHeader("Content-Security-Policy", policy);
    answer.addHeader("X-Content-Type-Options", "nosniff");
    answer.addHeader("Referrer-Policy", "no-referrer");
    return answer;
  }

  /** Its size in bytes, not compressed. */
  public int size() {
    return html.length();
  }

  /** What it may load and ask: its Content-Security-Policy. */
  public String policy() {
    return policy;
  }

  private static @org.jspecify.annotations.Nullable String header(
      RestRequest request, String name) {
    for (Map.Entry<String, List<String>> header : request.getHeaders().entrySet()) {
      if (header.getKey().equalsIgnoreCase(name)) {
        return String.join(",", header.getValue());
      }
    }
    return null;
  }

  private static String hashes(Pattern element, String html) {
    List<String> hashes = new ArrayList<>();
    Matcher matcher = element.matcher(html);
    while (matcher.find()) {
      byte[] hash = sha256(matcher.group(1).getBytes(StandardCharsets.UTF_8));
      hashes.add("'sha256-" + Base64.getEncoder().encodeToString(hash) + "'");
    }
    return hashes.isEmpty() ? "'none'" : String.join(" ", hashes);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * The file {@code index.html} beside a class.
   *
   * @throws IllegalStateException when the jar lacks it
   */
  public static HtmlFile beside(Class<?> owner) {
    try (InputStream in = owner.getResourceAsStream("index.html")) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks index.html beside " + owner.getName());
      }
      return new HtmlFile(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
