import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { scopes } from "../../../../src/Sandbox/Identity/Scopes.ts"
import { responseFaults } from "../../../support/Discovery.ts"
import { objectsOf } from "../../../support/RunTool.ts"
import { accessToken, at, send } from "../../SandboxFixture.ts"

export const shop = "410000011"

export const request = (path: string, json?: unknown) =>
  Effect.flatMap(
    accessToken("google", scopes.analyticsReadonly),
    (token) => send("ga4Data", `/v1beta/properties/${path}`, json === undefined ? { token } : { token, json })
  )

export const names = (...all: ReadonlyArray<string>) => all.map((name) => ({ name }))

export const weeks = { dateRanges: [{ startDate: "28daysAgo", endDate: "yesterday" }] }

export interface Row {
  readonly values: ReadonlyArray<string>
  readonly numbers: ReadonlyArray<number>
}

export const run = (property: string, body: object) => request(`${property}:runReport`, body)

/** Each response is as the discovery document describes. */
export const reportOf = (body: object, property = shop) =>
  Effect.map(run(property, { ...weeks, returnPropertyQuota: true, ...body }), ({ text }) => {
    assert.deepStrictEqual(responseFaults("ga4Data", "analyticsdata.properties.runReport", at(text)), [])
    const { dimensionHeaders, kind, metricHeaders, rowCount = 0, rows } = Object(at(text))
    return {
      kind,
      rowCount: Number(rowCount),
      dimensions: textsOf(dimensionHeaders),
      metrics: textsOf(metricHeaders),
      types: objectsOf(metricHeaders).map(({ type }) => type),
      rows: objectsOf(rows).map(({ dimensionValues, metricValues }): Row => ({
        values: textsOf(dimensionValues),
        numbers: textsOf(metricValues).map(Number)
      }))
    }
  })

const textsOf = (fields: unknown) => objectsOf(fields).map(({ name, value = name }) => String(value))

export const column = (rows: ReadonlyArray<Row>) => rows.map(({ values: [value = ""] }) => value)

export const sum = (rows: ReadonlyArray<Row>) => rows.reduce((total, { numbers: [first = 0] }) => total + first, 0)
