// What `millrace doctor --publish` found: the page shows a report, it judges nothing itself.

import type { DoctorCalls, DoctorReport } from "./api.ts";
import { h, table } from "../shared/dom.ts";
import { count, millis } from "../shared/format.ts";
import { Panel } from "./panels.ts";
import type { State } from "./status.ts";

const STATES: Record<string, State> = { error: "critical", warn: "warning", info: "unknown" };
const OLD = 24 * 3600 * 1000;

type Finding = DoctorReport["findings"][number];

/** The node that served the page, as commands name it. */
function node(): string {
  return new URL("..", document.baseURI).href.replace(/\/$/, "");
}

/** As a line for a shell; quotes are escaped as the command's own report does. */
export function curl(url: string, method: string, path: string, body?: string | null): string {
  const line = `curl -X${method} '${url}${path.replaceAll("'", "%27")}'`;
  return body ? `${line} -H 'Content-Type: application/json' -d '${body.replaceAll("'", "'\\''")}'` : line;
}

function cure(name: string, part: DoctorCalls | undefined): HTMLElement[] {
  if (!part) return [];
  const calls = part.calls ?? [];
  const more = (part.calls_total ?? calls.length) - calls.length;
  if (!calls.length && !part.config && !part.advice) return [];
  return [
    h("dt", {}, name),
    h("dd", {},
      part.advice || null,
      ...calls.map((c) => h("pre", {}, curl(node(), c.method, c.path, c.body))),
      more > 0 ? `and ${count(more)} more requests, which millrace doctor prints` : null,
      part.config ? h("pre", {}, part.config) : null),
  ];
}

function said(name: string, text: string | undefined): HTMLElement[] {
  return text ? [h("dt", {}, name), h("dd", {}, text)] : [];
}

function subjects(f: Finding): string {
  const first = (f.subjects ?? []).slice(0, 3).join(", ");
  const more = (f.subjects_total ?? f.subjects?.length ?? 0) - 3;
  return more > 0 ? `${first} and ${count(more)} more` : first;
}

function finding(f: Finding): HTMLElement {
  return h("details", { "data-key": f.check },
    h("summary", {},
      h("span", { class: "pill", "data-state": STATES[f.severity] ?? "unknown" }, f.severity),
      h("strong", {}, f.title),
      h("span", { class: "where" }, subjects(f))),
    h("p", {}, f.what, " ", h("code", {}, f.check)),
    f.evidence?.length
      ? table(`Numbers behind ${f.check}`, [{ head: "where" }, { head: "value" }], f.evidence.map((e) => [h("code", {}, e.path), e.value]))
      : null,
    h("dl", {}, ...said("Why it hurts", f.why), ...cure("Fix", f.fix), ...said("Effect", f.effect), ...cure("Undo", f.undo),
      ...said("Source", f.source)));
}

export class DoctorPanel {
  /** Null when none was published, undefined when the cluster does not say. */
  report: DoctorReport | null | undefined;
  readonly panel = new Panel("doctor", "Doctor", "findings of millrace doctor, the most urgent first", () => {
    const report = this.report;
    if (report === undefined) return { body: null };
    const command = h("code", {}, `millrace doctor ${node()} --publish`);
    if (!report) {
      return { body: h("p", {}, "No report yet. ", command, " examines this cluster and shows here what it finds.") };
    }
    const age = Math.max(0, Date.now() - Date.parse(report.taken));
    const note = `${count(report.checks)} checks looked ${Number.isNaN(age) ? "" : `${millis(age)} ago`}: ${report.counts}` +
      (age > OLD ? "; this report is old" : "");
    return {
      note,
      body: h("div", { class: "doctor" },
        report.findings.length ? null : h("p", {}, "Nothing is wrong that the checks know of."),
        ...report.findings.map(finding),
        h("p", { class: "muted" }, command, " replaces this report.")),
    };
  }, true);
}
