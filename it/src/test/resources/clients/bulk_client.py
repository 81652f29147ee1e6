"""opensearch-py, or elasticsearch-py 7.x, whichever is installed, against the node given as the only argument, as MILLRACE_USER and trusting MILLRACE_CA if they are set."""

import os
import sys

try:
    from opensearchpy import OpenSearch as Client, helpers
except ImportError:
    from elasticsearch import Elasticsearch as Client, helpers

DOCUMENTS = 5000
INDEX = "client-logs"


def documents():
    for n in range(DOCUMENTS):
        yield {
            "_index": INDEX,
            "n": n,
            "level": ("INFO", "WARN", "ERROR")[n % 3],
            "host": "host-%d" % (n % 10),
            "@timestamp": "2026-11-21T%02d:%02d:%02dZ" % (n // 3600, n // 60 % 60, n % 60),
            "message": "request %d took %d ms" % (n, n * 37 % 1000),
        }


def check(what, expected, actual):
    if expected != actual:
        sys.exit("%s: expected %r, got %r" % (what, expected, actual))


def main():
    who = {}
    if "MILLRACE_USER" in os.environ:
        who = {"http_auth": os.environ["MILLRACE_USER"], "ca_certs": os.environ["MILLRACE_CA"]}
    client = Client([sys.argv[1]], timeout=60, **who)
    check("info", "3.8.0", client.info()["version"]["number"])
    client.indices.create(
        index=INDEX,
        body={
            "settings": {
                "number_of_shards": 12,
                "number_of_replicas": 0,
                "index.bulk_routing.enabled": True,
                "index.mapping.keyword.truncate": True,
                "index.codec": "zstandard",
            },
            "mappings": {
                "properties": {
                    "level": {"type": "keyword"},
                    "host": {"type": "keyword"},
                    "message": {"type": "text"},
                }
            },
        },
    )
    written, errors = helpers.bulk(client, documents(), chunk_size=500)
    check("bulk", (DOCUMENTS, []), (written, errors))
    client.indices.refresh(index=INDEX)
    check("count", DOCUMENTS, client.count(index=INDEX)["count"])

    found = client.search(
        index=INDEX, body={"query": {"match_phrase": {"message": "request 4242 took"}}}
    )
    check("search", [4242], [hit["_source"]["n"] for hit in found["hits"]["hits"]])

    # the hit's routing reads the document by id
    hit = found["hits"]["hits"][0]
    got = client.get(index=INDEX, id=hit["_id"], routing=hit["_routing"])
    check("get", 4242, got["_source"]["n"])

    scanned = sorted(hit["_source"]["n"] for hit in helpers.scan(client, index=INDEX, size=700))
    check("scan", list(range(DOCUMENTS)), scanned)

    answer = client.search(
        index=INDEX,
        body={
            "size": 0,
            "aggs": {
                "levels": {
                    "terms": {"field": "level", "order": {"_key": "asc"}},
                    "aggs": {"sum": {"sum": {"field": "n"}}},
                },
                "hours": {"date_histogram": {"field": "@timestamp", "fixed_interval": "1h"}},
            },
        },
    )["aggregations"]
    check(
        "terms",
        [
            (level, len(range(i, DOCUMENTS, 3)), float(sum(range(i, DOCUMENTS, 3))))
            for level, i in (("ERROR", 2), ("INFO", 0), ("WARN", 1))
        ],
        [(b["key"], b["doc_count"], b["sum"]["value"]) for b in answer["levels"]["buckets"]],
    )
    check("histogram", [3600, 1400], [b["doc_count"] for b in answer["hours"]["buckets"]])

    client.update(index=INDEX, id=hit["_id"], routing=hit["_routing"], body={"doc": {"level": "FATAL"}})
    deleted = client.delete_by_query(
        index=INDEX, body={"query": {"term": {"host": "host-3"}}}, refresh=True
    )
    check("delete by query", DOCUMENTS // 10, deleted["deleted"])
    fatal = client.count(index=INDEX, body={"query": {"term": {"level": "FATAL"}}})
    check("update", 1, fatal["count"])
    print("all answers right")


main()
