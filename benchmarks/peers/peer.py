"""What the scripts beside this one share: commands in, answers out, a line of JSON each.

A script makes a class with these methods and gives an instance to serve():

    version            name and version of the library
    load(file)         reads a file of JSON documents, one a line; returns when they can be found
    merge()            compacts as far as the library can; the bytes on disk that count, or None for all
    rows(search)       an iterable of the documents that match, the newest 100 (dictionaries or JSON)
    counts(search)     an iterable of {"start": time, "level": name, "documents": number}
    hits(search)       how many documents match

A search has kind (ID, WORD, WORDS, PHRASE, COUNTS), text, from, to (milliseconds) and most.
"""

import itertools
import json
import sys
import traceback


class Search:
    """One search, as the bench has sent it."""

    def __init__(self, command):
        self.kind = command["kind"]
        self.text = command["text"]
        self.first = command["from"]
        self.end = command["to"]
        self.most = command["most"]

    @property
    def words(self):
        return self.text.split(" ")


def lines(file, count):
    """The lines of a file, in lists of so many."""
    with open(file, encoding="utf-8") as documents:
        while batch := list(itertools.islice(documents, count)):
            yield batch


def serve(peer):
    """Answers commands until standard input ends."""
    answers = sys.stdout
    sys.stdout = sys.stderr  # a library that prints must not disturb the answers

    def answer(text):
        answers.write(text + "\n")
        answers.flush()

    answer(json.dumps({"version": peer.version}))
    for line in sys.stdin:
        command = json.loads(line)
        try:
            answer(run(peer, command))
        except Exception as error:  # the bench tells it and stops
            traceback.print_exc()
            answer(json.dumps({"error": f"{type(error).__name__}: {error}"}))


def run(peer, command):
    """Does one command and returns its answer."""
    what = command["do"]
    if what == "load":
        peer.load(command["file"])
    elif what == "merge":
        return json.dumps({"bytes": peer.merge()})
    elif what == "count":
        return json.dumps({"documents": peer.hits(Search(command))})
    elif what == "search":
        search = Search(command)
        found = peer.counts(search) if search.kind == "COUNTS" else peer.rows(search)
        rows = (row if isinstance(row, str) else json.dumps(row, default=str) for row in found)
        return '{"rows":[' + ",".join(rows) + "]}"
    else:
        raise ValueError(f"'{what}' is no command: load, merge, search, count")
    return "{}"
