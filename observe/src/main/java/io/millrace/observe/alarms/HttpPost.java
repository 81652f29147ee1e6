package io.millrace.observe.alarms;

import io.millrace.kernel.PrivilegedAccess;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;

/**
 * The one socket this domain opens. Blocking and plain, so that it runs on the caller's stack and
 * is judged by the plugin's own policy; without redirects, proxies, cookies or a kept connection.
 * The answer's body is not read.
 */
final class HttpPost implements Webhook.Post {
  @Override
  public int send(Webhook.Target target, byte[] json) throws IOException {
    return PrivilegedAccess.call(() -> {
      HttpURLConnection connection =
          (HttpURLConnection) target.uri().toURL().openConnection(Proxy.NO_PROXY);
      try {
        connection.setConnectTimeout(target.timeoutMillis());
        connection.setReadTimeout(target.timeoutMillis());
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setRequestMethod("POST");
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setRequestProperty("Connection", "close");
        connection.setDoOutput(true);
        // a fixed length also keeps the JDK from sending a POST twice
        connection.setFixedLengthStreamingMode(json.length);
        try (OutputStream body = connection.getOutputStream()) {
          body.write(json);
        }
        return connection.getResponseCode();
      } finally {
        connection.disconnect();
      }
    });
  }
}
