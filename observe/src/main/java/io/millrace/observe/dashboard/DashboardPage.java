package io.millrace.observe.dashboard;

import io.millrace.kernel.report.Page;
import io.millrace.observe.html.HtmlFile;
import java.util.function.BooleanSupplier;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;

/** The dashboard at {@code /_millrace/}: the slash at the end tells it from the API. */
final class DashboardPage implements Page {
  final HtmlFile file = HtmlFile.beside(DashboardPage.class);
  private final BooleanSupplier on;

  DashboardPage(BooleanSupplier on) {
    this.on = on;
  }

  /** When it is on, and the path ends with a slash. */
  @Override
  public boolean wants(RestRequest request) {
    return on.getAsBoolean() && request.rawPath().endsWith("/");
  }

  @Override
  public RestResponse answer(RestRequest request) {
    return file.answer(request);
  }
}
