// Figures for people: three digits that matter and a unit.

const BYTES = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
const COUNTS = ["", "k", "M", "G", "T"];

function scaled(value: number, step: number, units: string[], gap: string): string {
  let v = Math.abs(value);
  let unit = 0;
  while (v >= step && unit < units.length - 1) {
    v /= step;
    unit++;
  }
  const digits = unit === 0 ? (v < 10 && v % 1 !== 0 ? 1 : 0) : v < 10 ? 1 : 0;
  const text = v.toFixed(digits);
  return (value < 0 ? "-" : "") + text + (units[unit] ? gap + units[unit] : "");
}

export type Format = (value: number | null | undefined) => string;

const orDash =
  (format: (value: number) => string): Format =>
  (value) =>
    value === null || value === undefined || !Number.isFinite(value) ? "–" : format(value);

export const bytes = orDash((v) => scaled(v, 1024, BYTES, " "));
export const count = orDash((v) => (Math.abs(v) < 10_000 ? scaled(v, 1e9, COUNTS, "") : scaled(v, 1000, COUNTS, " ")));
/** A count with all its digits. */
export const whole = orDash((v) => v.toLocaleString("en-GB"));
export const perSecond = orDash((v) => `${count(v)}/s`);
export const bytesPerSecond = orDash((v) => `${bytes(v)}/s`);
export const percent = orDash((v) => `${v < 10 && v > 0 ? v.toFixed(1) : v.toFixed(0)} %`);

/** Milliseconds. */
export const millis = orDash((v) => {
  if (v < 1) return v === 0 ? "0 ms" : `${v.toFixed(2)} ms`;
  if (v < 1000) return `${v < 10 ? v.toFixed(1) : v.toFixed(0)} ms`;
  if (v < 60_000) return `${(v / 1000).toFixed(v < 10_000 ? 1 : 0)} s`;
  if (v < 3_600_000) return `${(v / 60_000).toFixed(v < 600_000 ? 1 : 0)} min`;
  return `${(v / 3_600_000).toFixed(1)} h`;
});

export function clock(time: number): string {
  return new Date(time).toLocaleTimeString("en-GB");
}

/** A metric's value by its unit, as the kernel names units. */
export function byUnit(unit: string, value: number): string {
  switch (unit) {
    case "bytes":
      return bytes(value);
    case "nanoseconds":
      return millis(value / 1e6);
    case "microseconds":
      return millis(value / 1e3);
    case "milliseconds":
      return millis(value);
    case "seconds":
      return millis(value * 1e3);
    case "percent":
      return percent(value);
    default:
      return `${count(value)} ${unit}`;
  }
}
