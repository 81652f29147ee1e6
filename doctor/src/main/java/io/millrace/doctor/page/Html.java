package io.millrace.doctor.page;

/** The frame of a page in one file: no script, no address outside of it, light and dark. */
public final class Html {
  private static final String STYLE =
      """
      :root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#57606a;--line:#d0d7de;--box:#f6f8fa;
      --error:#b3261e;--warn:#8a5a00;--info:#0b5cad;--plot:#0b5cad;--plot2:#b3261e}
      @media (prefers-color-scheme:dark){:root{--bg:#0f1318;--fg:#e6edf3;--dim:#9aa4af;--line:#30363d;--box:#171c23;
      --error:#ff8a80;--warn:#e3b341;--info:#79b8ff;--plot:#79b8ff;--plot2:#ff8a80}}
      *{box-sizing:border-box}body{margin:0 auto;max-width:62rem;padding:1.5rem 1rem;background:var(--bg);color:var(--fg);
      font:16px/1.5 system-ui,sans-serif}h1{font-size:1.5rem}h2{font-size:1.15rem;margin:0}
      .dim{color:var(--dim)}article{border:1px solid var(--line);border-left:.35rem solid var(--info);border-radius:.4rem;
      padding:1rem;margin:1rem 0}article.warn{border-left-color:var(--warn)}article.error{border-left-color:var(--error)}
      .tag{font-weight:600;color:var(--info)}.warn .tag{color:var(--warn)}.error .tag{color:var(--error)}
      pre{background:var(--box);border:1px solid var(--line);border-radius:.3rem;padding:.6rem;overflow-x:auto;
      white-space:pre-wrap;overflow-wrap:anywhere}table{border-collapse:collapse;width:100%}
      td,th{border-bottom:1px solid var(--line);padding:.25rem .5rem;text-align:left;overflow-wrap:anywhere;vertical-align:top}
      dt{font-weight:600;margin-top:.5rem}dd{margin:0}svg{width:100%;height:auto;background:var(--box);
      border:1px solid var(--line);border-radius:.3rem}svg text{fill:var(--dim);font:11px system-ui,sans-serif}
      """;

  private Html() {}

  /** A whole page. */
  public static String page(String title, String body) {
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
        + text(title)
        + "</title>\n<style>\n"
        + STYLE
        + "</style>\n</head>\n<body>\n"
        + body
        + "</body>\n</html>\n";
  }

  /** Text in which nothing is markup. */
  public static String text(String plain) {
    return plain
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
