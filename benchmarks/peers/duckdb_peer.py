"""DuckDB: one table in one file, no index of words.

DuckDB's own full-text index does not follow a table that grows, so words are found by reading the
column. Documents are inserted 10,000 at a time, each insert a transaction on disk.
"""

import os
import sys
import tempfile

import duckdb
from peer import lines, serve

BATCH = 10_000
EDGE = "[^A-Za-z0-9]"


class DuckDb:
    version = duckdb.__version__

    def __init__(self, folder):
        self.folder = folder
        self.base = duckdb.connect()
        self.base.execute(
            f"ATTACH '{os.path.join(folder, 'logs.db')}' AS bench (STORAGE_VERSION 'latest')"
        )
        self.base.execute("USE bench")
        self.base.execute("""
            CREATE TABLE logs (
              "@timestamp" TIMESTAMP_MS, host VARCHAR, service VARCHAR, level VARCHAR, pid INTEGER,
              trace_id VARCHAR, status SMALLINT, latency_ms FLOAT, bytes BIGINT, message VARCHAR)
            """)

    def load(self, file):
        columns = (
            "{'@timestamp': 'TIMESTAMP_MS', host: 'VARCHAR', service: 'VARCHAR', level: 'VARCHAR',"
            " pid: 'INTEGER', trace_id: 'VARCHAR', status: 'SMALLINT', latency_ms: 'FLOAT',"
            " bytes: 'BIGINT', message: 'VARCHAR'}"
        )
        with tempfile.NamedTemporaryFile("w", suffix=".ndjson", encoding="utf-8") as part:
            for batch in lines(file, BATCH):
                part.seek(0)
                part.truncate()
                part.writelines(batch)
                part.flush()
                self.base.execute(
                    f"INSERT INTO logs SELECT * FROM read_json('{part.name}', columns = {columns},"
                    " format = 'newline_delimited')"
                )

    def merge(self):
        self.base.execute("CHECKPOINT bench")

    def condition(self, search):
        if search.kind == "ID":
            return f"trace_id = '{search.text}'"
        if search.kind == "COUNTS":
            return (
                f'"@timestamp" >= epoch_ms({search.first})::TIMESTAMP_MS'
                f' AND "@timestamp" < epoch_ms({search.end})::TIMESTAMP_MS'
            )
        parts = [search.text] if search.kind == "PHRASE" else search.words
        return " AND ".join(
            f"contains(message, '{part}')"
            f" AND regexp_matches(message, '(^|{EDGE}){part}($|{EDGE})')"
            for part in parts
        )

    def dictionaries(self, sql):
        found = self.base.execute(sql)
        names = [column[0] for column in found.description]
        return [dict(zip(names, row)) for row in found.fetchall()]

    def rows(self, search):
        return self.dictionaries(
            f"SELECT * FROM logs WHERE {self.condition(search)}"
            f' ORDER BY "@timestamp" DESC LIMIT {search.most}'
        )

    def counts(self, search):
        return self.dictionaries(
            "SELECT time_bucket(INTERVAL '10 minutes', \"@timestamp\"::TIMESTAMP) AS start, level,"
            f" count(*) AS documents FROM logs WHERE {self.condition(search)} GROUP BY ALL"
        )

    def hits(self, search):
        return self.base.execute(
            f"SELECT count(*) FROM logs WHERE {self.condition(search)}"
        ).fetchone()[0]


if __name__ == "__main__":
    serve(DuckDb(sys.argv[1]))
