import type { ScenarioResult } from "./RunScenario.ts"
import type { Summary } from "./Summary.ts"

export const formatTable = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)))
  return rows
    .map((row) =>
      row.map((cell, column) => column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))
        .join("  ").trimEnd()
    )
    .join("\n")
}

const headings = ["", "calls/s", "p50", "p95", "p99", "CPU", "of it Postgres", "peak MB", "start-up"]

const cells = ({ cpu, databaseCpu, p50, p95, p99, peakMemory, perSecond, startUp, subject }: Summary) => [
  subject,
  perSecond.toFixed(perSecond < 100 ? 1 : 0),
  ...[p50, p95, p99].map((millis) => millis.toFixed(2)),
  ...[cpu, databaseCpu].map((millis) => millis.toFixed(3)),
  peakMemory.toFixed(0),
  startUp.toFixed(0)
]

const comparison = ({ against }: Summary) =>
  against === undefined
    ? []
    : [`${against.throughput.toFixed(2)} x`, `${against.cpu.toFixed(2)} x`, formatSigned(against.addedP50)]

const formatSigned = (millis: number) => `${millis < 0 ? "" : "+"}${millis.toFixed(2)}`

export const formatResult = ({ connections, storage, summaries, title, baseline }: ScenarioResult): string =>
  [
    `${title}; ${connections} connection${connections === 1 ? "" : "s"}; ${storage}` +
    (baseline === undefined ? "" : `; baseline: ${baseline}`),
    formatTable([
      baseline === undefined ? headings : [...headings, "| calls/s", "CPU", "p50"],
      ...summaries.map((summary) => [...cells(summary), ...comparison(summary)])
    ])
  ].join("\n")

export const findProblems = ({ storage, summaries, title }: ScenarioResult): ReadonlyArray<string> =>
  summaries
    .filter(({ failed, unlogged }) => failed > 0 || unlogged > 0)
    .map(({ failed, subject, unlogged }) =>
      `${title}, ${storage}, ${subject}: ${failed} failed, ${unlogged} not logged`
    )
