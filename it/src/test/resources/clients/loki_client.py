"""python-logging-loki, a handler of Python's logging, against the node given as the only argument."""

import json
import logging
import sys
import urllib.request

import logging_loki

LINES = 200


def check(what, expected, actual):
    if expected != actual:
        sys.exit("%s: expected %r, got %r" % (what, expected, actual))


def get(base, path):
    with urllib.request.urlopen(base + path, timeout=60) as answer:
        return json.load(answer)


def main():
    base = sys.argv[1].rstrip("/")
    handler = logging_loki.LokiHandler(url=base + "/loki/api/v1/push", tags={"app": "loki-client"}, version="1")
    problems = []
    handler.handleError = lambda record: problems.append(sys.exc_info()[1])
    logger = logging.getLogger("orders")
    logger.addHandler(handler)
    for n in range(LINES):
        logger.warning("request %d took %d ms", n, n * 37 % 1000, extra={"tags": {"shard": str(n % 4)}})
    check("problems", [], problems)

    refresh = urllib.request.Request(base + "/logs-loki-*/_refresh", method="POST")
    urllib.request.urlopen(refresh, timeout=60).close()
    check("lines", LINES, get(base, "/logs-loki-*/_count?q=labels.app:%22loki-client%22")["count"])
    check("level", LINES, get(base, "/logs-loki-*/_count?q=level:warning")["count"])
    check("tag", LINES // 4, get(base, "/logs-loki-*/_count?q=labels.shard:3")["count"])
    check("one line", 1, get(base, "/logs-loki-*/_count?q=message:123%20AND%20message:551")["count"])
    print("all answers right")


if __name__ == "__main__":
    main()
