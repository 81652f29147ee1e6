// Similar lines as one pattern: what has digits is a variable, and so is a word in which lines differ
// that agree in most others.

export interface Template {
  tokens: string[];
  lines: number;
  /** One of them. */
  example: string;
}

const VARIABLE = "*";
const MOST_TOKENS = 40;
const MOST_TEMPLATES = 2000;
/** Share of tokens that two lines of one pattern have in common. */
const ALIKE = 0.7;

const MASKS = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b|"[^"]{0,200}"|'[^']{0,200}'/gi;

/** The words of a line, with a sign for each variable. */
export function tokensOf(line: string): string[] {
  const words = line.slice(0, 600).replace(MASKS, VARIABLE).trim().split(/\s+/).slice(0, MOST_TOKENS);
  // the same words with digits in them are the same pattern; punctuation beside a number stays
  return words.map((w) => (/\d/.test(w) ? w.replace(/[\p{L}\p{N}_.\-:/]*\d[\p{L}\p{N}_.\-:/]*/gu, VARIABLE) : w));
}

/** Groups lines by pattern, the most frequent first. */
export function templates(lines: string[]): Template[] {
  const exact = new Map<string, Template>();
  for (const line of lines) {
    const tokens = tokensOf(line);
    const key = tokens.join(" ");
    const known = exact.get(key);
    if (known) known.lines++;
    else if (exact.size < MOST_TEMPLATES * 4) exact.set(key, { tokens, lines: 1, example: line });
  }
  const groups = new Map<string, Template[]>();
  for (const each of [...exact.values()].sort((a, b) => b.lines - a.lines)) {
    const place = `${each.tokens.length} ${each.tokens.find((t) => !t.includes(VARIABLE)) ?? ""}`;
    const group = groups.get(place) ?? [];
    groups.set(place, group);
    const like = group.slice(0, 200).find((g) => alike(g.tokens, each.tokens));
    if (!like) group.push(each);
    else {
      like.lines += each.lines;
      like.tokens = like.tokens.map((t, i) => (t === each.tokens[i] ? t : VARIABLE));
    }
  }
  return [...groups.values()].flat().sort((a, b) => b.lines - a.lines).slice(0, MOST_TEMPLATES);
}

function alike(a: string[], b: string[]): boolean {
  if (a.length < 4) return false;
  return a.filter((t, i) => t === b[i]).length / a.length >= ALIKE;
}

/** How many of these lines have a pattern. */
export function matching(template: Template, all: Template[]): number {
  return all.filter((t) => t.tokens.length === template.tokens.length &&
    t.tokens.every((token, i) => token === template.tokens[i] || token === VARIABLE || template.tokens[i] === VARIABLE))
    .reduce((sum, t) => sum + t.lines, 0);
}

/** The fixed texts of a pattern that a phrase query can look for. */
export function phrases(template: Template): string[] {
  return template.tokens.map((t) => (t.includes(VARIABLE) ? "\n" : t)).join(" ").split("\n")
    .map((p) => p.trim()).filter((p) => /[\p{L}]{2}/u.test(p)).slice(0, 5);
}
