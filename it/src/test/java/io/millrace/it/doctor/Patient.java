package io.millrace.it.doctor;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.doctor.catalogue.Catalogue;
import io.millrace.doctor.catalogue.Examination;
import io.millrace.doctor.finding.Call;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Collector;
import io.millrace.doctor.snapshot.Limits;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A cluster that a test examines, as {@code millrace doctor} does. */
final class Patient {
  private final JsonHttp http;
  private final Limits limits = Limits.DEFAULT.window(Duration.ZERO);

  Patient(JsonHttp http) {
    this.http = http;
  }

  /**
   * What the doctor says.
   *
   * @param meanwhile runs between the two answers that rates are told from
   */
  Examination examine(Runnable meanwhile) throws InterruptedException {
    try (ClusterClient client =
        new ClusterClient(ClientOptions.of(http.base()).maxAnswerBytes(limits.answerBytes()))) {
      return Examination.of(
          new Collector(
                  client,
                  limits,
                  text -> {
                    if (text.equals("GET /_cluster/health")) {
                      meanwhile.run();
                    }
                  })
              .collect(),
          Catalogue.all());
    }
  }

  static Optional<Finding> finding(Examination examination, String check) {
    return examination.findings().stream()
        .filter(finding -> finding.check().id().equals(check))
        .findFirst();
  }

  /** The findings that cost something, for messages. */
  static List<String> complaints(Examination examination) {
    return examination.findings().stream()
        .filter(finding -> finding.severity().compareTo(Severity.WARN) >= 0)
        .map(finding -> finding.check().id() + ": " + finding.what() + " " + finding.evidence())
        .toList();
  }

  /** Sends what a report prints. */
  void send(List<Call> calls) {
    for (Call call : calls) {
      JsonAnswer answer = http.send(call.method(), call.path(), call.body());
      assertTrue(answer.status() == 200, () -> call + " -> " + answer);
    }
  }

  /** Settings of all indices and of the cluster, as the server writes them. */
  String settings() {
    return http.get("/_all/_settings?flat_settings=true").ok().body()
        + http.get("/_cluster/settings?flat_settings=true").ok().body();
  }
}
