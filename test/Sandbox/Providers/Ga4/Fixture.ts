import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { scopes } from "../../../../src/Sandbox/Identity/Scopes.ts"
import { responseFaults } from "../../../support/Discovery.ts"
import { accessToken, at, send } from "../../SandboxFixture.ts"

export const shop = "410000011"

export const request = (path: string, json?: unknown) =>
  Effect.flatMap(
    accessToken("google", scopes.analyticsReadonly),
    (token) => send("ga4Data", `/v1beta/properties/${path}`, json === undefined ? { token } : { token, json })
  )

export const names = (...all: ReadonlyArray<string>) => all.map((name) => ({ name }))

export const weeks = { dateRanges: [{ startDate: "28daysAgo", endDate: "yesterday" }] }

interface Header {
  readonly name: string
  readonly type?: string
}

interface Response {
  readonly kind: string
  readonly dimensionHeaders?: ReadonlyArray<Header>
  readonly metricHeaders?: ReadonlyArray<Header>
  readonly rowCount?: number
  readonly rows?: ReadonlyArray<{
    readonly dimensionValues?: ReadonlyArray<{ readonly value: string }>
    readonly metricValues?: ReadonlyArray<{ readonly value: string }>
  }>
}

export interface Row {
  readonly values: ReadonlyArray<string>
  readonly numbers: ReadonlyArray<number>
}

export const run = (property: string, body: object) => request(`${property}:runReport`, body)

/** Each response is as the discovery document describes. */
export const reportOf = (body: object, property = shop) =>
  Effect.map(run(property, { ...weeks, returnPropertyQuota: true, ...body }), ({ text }) => {
    assert.deepStrictEqual(responseFaults("ga4Data", "analyticsdata.properties.runReport", at(text)), [])
    const { dimensionHeaders = [], kind, metricHeaders = [], rowCount = 0, rows = [] }: Response = JSON.parse(text)
    return {
      kind,
      rowCount,
      dimensions: dimensionHeaders.map(({ name }) => name),
      metrics: metricHeaders.map(({ name }) => name),
      types: metricHeaders.map(({ type }) => type),
      rows: rows.map(({ dimensionValues = [], metricValues = [] }): Row => ({
        values: dimensionValues.map(({ value }) => value),
        numbers: metricValues.map(({ value }) => Number(value))
      }))
    }
  })

export const column = (rows: ReadonlyArray<Row>) => rows.map(({ values: [value = ""] }) => value)

export const sum = (rows: ReadonlyArray<Row>) => rows.reduce((total, { numbers: [first = 0] }) => total + first, 0)
