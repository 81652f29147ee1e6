"""ClickHouse in this process, by the package chdb. Two tables, by the second argument:

    bloom   the table of OpenTelemetry's exporter for ClickHouse, on these fields: sorted by service
            and time, ZSTD(1), Bloom filters of ids and of the words of the message
    text    sorted by time, ZSTD(1), a Bloom filter of ids and ClickHouse's text index of the message

Documents are inserted 10,000 at a time, each insert a part; ClickHouse asks for large inserts.
"""

import sys

from chdb import session
from peer import lines, serve

BATCH = 10_000
TABLES = {
    "bloom": {
        "order": "(service, toDateTime(`@timestamp`))",
        "index": "INDEX words message TYPE tokenbf_v1(32768, 3, 0) GRANULARITY 8",
    },
    "text": {
        "order": "`@timestamp`",
        "index": "INDEX words message TYPE text(tokenizer = 'splitByNonAlpha')",
    },
}


class ClickHouse:
    def __init__(self, folder, kind):
        self.kind = kind
        self.session = session.Session(folder)
        self.version = "ClickHouse " + self.value("SELECT version()")
        # a search that is asked again must not be answered from memory
        self.session.query("SET use_query_condition_cache = 0")
        self.session.query("SET date_time_output_format = 'iso'")
        self.session.query("SET output_format_json_quote_64bit_integers = 0")
        self.session.query("CREATE DATABASE IF NOT EXISTS bench ENGINE = Atomic")
        self.session.query(f"""
            CREATE TABLE bench.logs (
              `@timestamp` DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
              host LowCardinality(String) CODEC(ZSTD(1)),
              service LowCardinality(String) CODEC(ZSTD(1)),
              level LowCardinality(String) CODEC(ZSTD(1)),
              pid UInt32 CODEC(ZSTD(1)),
              trace_id String CODEC(ZSTD(1)),
              status UInt16 CODEC(ZSTD(1)),
              latency_ms Float32 CODEC(ZSTD(1)),
              bytes UInt64 CODEC(ZSTD(1)),
              message String CODEC(ZSTD(1)),
              INDEX ids trace_id TYPE bloom_filter(0.001) GRANULARITY 1,
              {TABLES[kind]["index"]}
            ) ENGINE = MergeTree
            PARTITION BY toDate(`@timestamp`)
            ORDER BY {TABLES[kind]["order"]}
            """)

    def value(self, sql):
        return str(self.session.query(sql, "TabSeparated")).strip()

    def load(self, file):
        for batch in lines(file, BATCH):
            self.session.query(
                "INSERT INTO bench.logs SETTINGS date_time_input_format = 'best_effort'"
                " FORMAT JSONEachRow\n" + "".join(batch)
            )
        self.quiet()

    def quiet(self):
        """Waits for merges that run; each look waits, so that this takes no CPU of its own."""
        while self.value("SELECT count() FROM system.merges WHERE sleep(0.2) = 0") != "0":
            pass

    def merge(self):
        """Parts that were merged away stay on disk for minutes: those that are read count."""
        self.session.query("OPTIMIZE TABLE bench.logs FINAL")
        self.quiet()
        return int(
            self.value(
                "SELECT sum(bytes_on_disk) FROM system.parts"
                " WHERE active AND database = 'bench' AND table = 'logs'"
            )
        )

    def condition(self, search):
        if search.kind == "ID":
            return f"trace_id = '{search.text}'"
        if search.kind == "COUNTS":
            return (
                f"`@timestamp` >= fromUnixTimestamp64Milli({search.first})"
                f" AND `@timestamp` < fromUnixTimestamp64Milli({search.end})"
            )
        words = " AND ".join(f"hasToken(message, '{word}')" for word in search.words)
        if search.kind == "PHRASE":
            words += rf" AND match(message, '\\b{search.text}\\b')"
        return words

    def rows(self, search):
        found = self.session.query(
            f"SELECT * FROM bench.logs WHERE {self.condition(search)}"
            f" ORDER BY `@timestamp` DESC LIMIT {search.most}",
            "JSONEachRow",
        )
        return str(found).splitlines()

    def counts(self, search):
        found = self.session.query(
            "SELECT toStartOfInterval(`@timestamp`, INTERVAL 10 MINUTE) AS start, level,"
            f" count() AS documents FROM bench.logs WHERE {self.condition(search)}"
            " GROUP BY start, level",
            "JSONEachRow",
        )
        return str(found).splitlines()

    def hits(self, search):
        return int(self.value(f"SELECT count() FROM bench.logs WHERE {self.condition(search)}"))


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[2] not in TABLES:
        sys.exit(f"usage: FOLDER {'|'.join(TABLES)}")
    serve(ClickHouse(sys.argv[1], sys.argv[2]))
