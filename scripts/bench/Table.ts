import { formatTable } from "./Report.ts"
import type { ScenarioResult } from "./RunScenario.ts"
import { fastifyPages, groupCommit, oneInsertACall, type ScenarioName } from "./Scenarios.ts"
import { median, totalCpu } from "./Summary.ts"

type Round = ScenarioResult["measurements"][number]["rounds"][number]

const figures = {
  "calls/s": ({ perSecond }: Round) => perSecond,
  "CPU a call": totalCpu,
  "p99": ({ p99 }: Round) => p99
}

interface Row {
  readonly title: string
  readonly scenario: ScenarioName
  readonly peer: string
  readonly figure: keyof typeof figures
  /** For the ratio of the first subject to the peer: the least for calls/s, the most for other figures. */
  readonly aim: number
  /** Calls of the peer for one of the first subject. */
  readonly calls?: number
}

const rows: ReadonlyArray<Row> = [
  { title: "read of 25 rows, 32 connections", scenario: "small", peer: oneInsertACall, figure: "calls/s", aim: 1.3 },
  { title: "read of 25 rows, 32 connections", scenario: "small", peer: groupCommit, figure: "calls/s", aim: 1 },
  { title: "read of 25 rows, one connection", scenario: "latency", peer: oneInsertACall, figure: "calls/s", aim: 1 },
  {
    title: "read of 25 rows, one connection",
    scenario: "latency",
    peer: oneInsertACall,
    figure: "CPU a call",
    aim: 1.2
  },
  { title: "cached read, one connection", scenario: "cached-latency", peer: oneInsertACall, figure: "calls/s", aim: 1 },
  { title: "10 MB read, 8 connections", scenario: "large", peer: oneInsertACall, figure: "calls/s", aim: 1.2 },
  { title: "10 MB read, 8 connections", scenario: "large", peer: oneInsertACall, figure: "CPU a call", aim: 0.8 },
  { title: "page of the log, one connection", scenario: "log-page", peer: fastifyPages, figure: "calls/s", aim: 1 },
  { title: "page of the log, 32 connections", scenario: "log-pages", peer: fastifyPages, figure: "calls/s", aim: 1 },
  { title: "page of the log, 32 connections", scenario: "log-pages", peer: fastifyPages, figure: "p99", aim: 1.5 },
  { title: "tool, 32 connections", scenario: "tool", peer: "endpoint", figure: "calls/s", aim: 0.8, calls: 2 },
  { title: "embedded, 32 connections", scenario: "embedded", peer: "postgres", figure: "calls/s", aim: 0.5 }
]

export const tableScenarios: ReadonlyArray<ScenarioName> = [...new Set(rows.map(({ scenario }) => scenario))]

const ratio = ({ measurements: [own, ...others] }: ScenarioResult, { calls = 1, figure, peer }: Row): number => {
  const other = others.find(({ subject }) => subject === peer)?.rounds
  const of = figures[figure]
  return median((own?.rounds ?? []).flatMap((round, index) => {
    const same = other?.[index]
    return same === undefined ? [] : [calls * of(round) / of(same)]
  }))
}

/** Each row is the median of the ratios of all rounds. */
export const formatRatios = (results: ReadonlyArray<ScenarioResult>): string =>
  formatTable([
    ["", "against", "figure", "ratio", "aim"],
    ...rows.flatMap((row) => {
      const result = results.find(({ scenario }) => scenario === row.scenario)
      const ofOne = row.calls === undefined ? row.peer : `${row.calls} calls of the ${row.peer}`
      return result === undefined
        ? []
        : [[row.title, ofOne, row.figure, ratio(result, row).toFixed(2), row.aim.toFixed(2)]]
    })
  ])
