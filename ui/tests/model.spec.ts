// Rates and sums over rounds of which some answers failed; no page is needed.

import { expect, test } from "@playwright/test";
import type { Answers } from "../src/dashboard/api.ts";
import { FORGOTTEN, Model } from "../src/dashboard/model.ts";

const START = Date.UTC(2026, 10, 21, 5, 15);

/** A round at so many seconds; `indexed` is missing where `_nodes/stats` did not answer. */
function round(second: number, nodes: Record<string, { indexed?: number; waits: number }>): Answers {
  const told = Object.entries(nodes).filter(([, n]) => n.indexed !== undefined);
  return {
    at: START + second * 1000,
    nodes: told.length
      ? {
          nodes: Object.fromEntries(
            told.map(([name, n]) => [name, { name, indices: { indexing: { index_total: n.indexed } } }]),
          ),
        }
      : undefined,
    stats: {
      nodes: Object.fromEntries(
        Object.entries(nodes).map(([name, n]) => [
          name,
          { name, features: { guard: { metrics: { waits: { kind: "counter", merge: "sum", value: n.waits } } } } },
        ]),
      ),
    },
  } as unknown as Answers;
}

test("after answers that failed a rate is over the time since the last one that came", () => {
  const model = new Model();
  model.add(round(0, { a: { indexed: 0, waits: 0 } }));
  model.add(round(5, { a: { indexed: 500, waits: 5 } }));
  expect(model.sum("indexed")).toBe(100);
  for (let second = 10; second <= 60; second += 5) model.add(round(second, { a: { waits: second } }));
  expect(model.sum("indexed")).toBeNull();
  expect(model.sum("guard/waits")).toBe(1);
  model.add(round(65, { a: { indexed: 6500, waits: 65 } }));
  expect(model.sum("indexed")).toBe(100);
  expect(model.sum("guard/waits")).toBe(1);
  expect(model.of("indexed", "a").filter((v) => v !== null)).toEqual([100, 100]);
  expect(model.grown("indexed", 300)).toBe(6500);
  expect(model.grown("guard/waits", 30)).toBe(30);
});

test("a counter that fell is a gap, and its growth is not counted", () => {
  const model = new Model();
  model.add(round(0, { a: { indexed: 900, waits: 0 } }));
  model.add(round(5, { a: { indexed: 10, waits: 0 } }));
  expect(model.sum("indexed")).toBeNull();
  model.add(round(10, { a: { indexed: 60, waits: 0 } }));
  expect(model.sum("indexed")).toBe(10);
  expect(model.grown("indexed", 300)).toBe(50);
});

test("a node that is gone is forgotten when its curves have left the plots", () => {
  const model = new Model();
  model.add(round(0, { a: { indexed: 0, waits: 0 }, b: { indexed: 0, waits: 0 } }));
  model.add(round(5, { a: { indexed: 5, waits: 0 } }));
  expect(model.nodes.get("b")?.gone).toBe(true);
  model.add(round(FORGOTTEN / 1000, { a: { indexed: 5, waits: 0 } }));
  expect(model.nodes.get("b")?.gone).toBe(true);
  model.add(round(FORGOTTEN / 1000 + 5, { a: { indexed: 5, waits: 0 } }));
  expect(model.nodes.has("b")).toBe(false);
});
