"""tantivy by its Python package: an index that is searched as OpenSearch's is.

Every field is stored and can be searched; message has tantivy's default tokenizer with positions,
the keywords are one term each, keywords of few values and numbers have columns (fast fields).
Documents are parsed by tantivy (add_json). They are on disk, and found, after the commit at the end.
"""

import datetime
import os
import sys

import tantivy
from peer import lines, serve

HEAP = 256_000_000
THREADS = 2
TIME = "@timestamp"


def schema():
    builder = tantivy.SchemaBuilder()
    builder.add_date_field(TIME, stored=True, indexed=True, fast=True)
    for keyword in ("host", "service", "level"):
        builder.add_text_field(
            keyword, stored=True, fast=True, tokenizer_name="raw", index_option="basic"
        )
    builder.add_text_field("trace_id", stored=True, tokenizer_name="raw", index_option="basic")
    for number in ("pid", "status", "bytes"):
        builder.add_integer_field(number, stored=True, indexed=True, fast=True)
    builder.add_float_field("latency_ms", stored=True, indexed=True, fast=True)
    builder.add_text_field("message", stored=True)
    return builder.build()


class Tantivy:
    version = tantivy.__version__

    def __init__(self, folder):
        self.schema = schema()
        self.index = tantivy.Index(self.schema, path=folder)
        self.writer = None

    def load(self, file):
        self.writer = self.index.writer(HEAP, THREADS)
        for batch in lines(file, 1000):
            for line in batch:
                self.writer.add_json(line)
        self.writer.commit()
        self.settle()

    def settle(self):
        self.writer.wait_merging_threads()  # consumes the writer
        self.index.reload()
        self.searcher = self.index.searcher()

    def merge(self):
        """The package has no merge by command: another commit gives the merge policy its turn."""
        self.writer = self.index.writer(HEAP, THREADS)
        self.writer.commit()
        self.writer.garbage_collect_files()
        self.settle()

    def query(self, search):
        if search.kind == "ID":
            return tantivy.Query.term_query(self.schema, "trace_id", search.text)
        if search.kind == "PHRASE":
            return tantivy.Query.phrase_query(self.schema, "message", search.words)
        if search.kind == "COUNTS":
            return tantivy.Query.range_query(
                self.schema,
                TIME,
                tantivy.FieldType.Date,
                time(search.first),
                time(search.end),
                include_upper=False,
            )
        words = [tantivy.Query.term_query(self.schema, "message", word) for word in search.words]
        if len(words) == 1:
            return words[0]
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, word) for word in words])

    def rows(self, search):
        found = self.searcher.search(
            self.query(search), search.most, count=False, order_by_field=TIME
        )
        return [self.searcher.doc(address).to_dict() for _, address in found.hits]

    def counts(self, search):
        times = {
            "times": {
                "date_histogram": {"field": TIME, "fixed_interval": "10m"},
                "aggs": {"levels": {"terms": {"field": "level"}}},
            }
        }
        for start in self.searcher.aggregate(self.query(search), times)["times"]["buckets"]:
            for level in start["levels"]["buckets"]:
                yield {
                    "start": int(start["key"]),
                    "level": level["key"],
                    "documents": level["doc_count"],
                }

    def hits(self, search):
        return self.searcher.search(self.query(search), 1, count=True).count


def time(millis):
    return datetime.datetime.fromtimestamp(millis / 1000, datetime.timezone.utc)


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    serve(Tantivy(sys.argv[1]))
