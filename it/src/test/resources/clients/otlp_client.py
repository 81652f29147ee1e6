"""The OpenTelemetry SDK's exporters for logs and spans against the node given as the only argument."""

import json
import logging
import sys
import time
import urllib.request

from opentelemetry._logs import SeverityNumber
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

RECORDS = 2000


def check(what, expected, actual):
    if expected != actual:
        sys.exit("%s: expected %r, got %r" % (what, expected, actual))


def get(base, path):
    with urllib.request.urlopen(base + path, timeout=60) as answer:
        return json.load(answer)


def main():
    base = sys.argv[1].rstrip("/")
    logging.basicConfig(level=logging.ERROR)
    resource = Resource.create({"service.name": "otlp-client", "service.version": "7"})

    spans = TracerProvider(resource=resource)
    spans.add_span_processor(
        BatchSpanProcessor(OTLPSpanExporter(endpoint=base + "/v1/traces", compression=Compression.Gzip))
    )
    tracer = spans.get_tracer("client", "1.0")
    with tracer.start_as_current_span("outer"):
        for n in range(RECORDS // 10):
            with tracer.start_as_current_span("inner", attributes={"n": n, "code.function": "f"}) as span:
                span.add_event("step", {"k": "v"})
    check("spans flushed", True, spans.force_flush(60000))

    logs = LoggerProvider(resource=resource)
    logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter(endpoint=base + "/v1/logs")))
    logger = logs.get_logger("client", "1.0")
    for n in range(RECORDS):
        logger.emit(
            timestamp=time.time_ns(),
            severity_number=SeverityNumber.WARN,
            body="request %d took %d ms" % (n, n * 37 % 1000),
            attributes={"code.function": "f", "code.function.name": "g", "n": n},
        )
    check("logs flushed", True, logs.force_flush(60000))

    get_refresh = urllib.request.Request(base + "/logs-otel-v1-*,traces-otel-v1-*/_refresh", method="POST")
    urllib.request.urlopen(get_refresh, timeout=60).close()
    check("logs", RECORDS, get(base, "/logs-otel-v1-*/_count?q=serviceName:otlp-client")["count"])
    check("level", RECORDS, get(base, "/logs-otel-v1-*/_count?q=severity.text:WARN")["count"])
    check("one line", 1, get(base, "/logs-otel-v1-*/_count?q=body:1234%20AND%20body:took")["count"])
    check("clashing name", RECORDS, get(base, "/logs-otel-v1-*/_count?q=attributes.code.function:f")["count"])
    check("spans", RECORDS // 10 + 1, get(base, "/traces-otel-v1-*/_count?q=serviceName:otlp-client")["count"])
    check("roots", 1, get(base, "/traces-otel-v1-*/_count?q=traceGroup:outer")["count"])
    hit = get(base, "/traces-otel-v1-*/_search?q=name:inner&size=1")["hits"]["hits"][0]["_source"]
    check("event", "step", hit["events"][0]["name"])
    check("id", 32, len(hit["traceId"]))
    print("all answers right")


if __name__ == "__main__":
    main()
