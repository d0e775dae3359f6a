import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
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

const Cells = Schema.optionalKey(Schema.Array(Schema.Struct({ value: Schema.String })))
const Rows = Schema.optionalKey(Schema.Array(Schema.Struct({ dimensionValues: Cells, metricValues: Cells })))

const Response = Schema.fromJsonString(Schema.Struct({
  kind: Schema.String,
  dimensionHeaders: Schema.optionalKey(Schema.Array(Schema.Struct({ name: Schema.String }))),
  metricHeaders: Schema.optionalKey(Schema.Array(Schema.Struct({ name: Schema.String, type: Schema.String }))),
  rowCount: Schema.optionalKey(Schema.Number),
  rows: Rows,
  totals: Rows
}))

export interface Row {
  readonly values: ReadonlyArray<string>
  readonly numbers: ReadonlyArray<number>
}

const toRows = (rows: (typeof Response.Type)["rows"] = []): ReadonlyArray<Row> =>
  rows.map(({ dimensionValues = [], metricValues = [] }) => ({
    values: dimensionValues.map(({ value }) => value),
    numbers: metricValues.map(({ value }) => Number(value))
  }))

export const run = (property: string, body: object, method = "runReport") => request(`${property}:${method}`, body)

/** Each response is as the discovery document describes. */
export const reportOf = (body: object, property = shop, method = "runReport") =>
  Effect.map(
    Effect.flatMap(
      run(property, method === "runReport" ? { ...weeks, returnPropertyQuota: true, ...body } : body, method),
      ({ text }) => {
        assert.deepStrictEqual(responseFaults("ga4Data", `analyticsdata.properties.${method}`, at(text)), [])
        return Effect.orDie(Schema.decodeEffect(Response)(text))
      }
    ),
    ({ dimensionHeaders = [], metricHeaders = [], rowCount = 0, rows, totals, ...rest }) => ({
      ...rest,
      rowCount,
      dimensions: dimensionHeaders.map(({ name }) => name),
      metrics: metricHeaders.map(({ name }) => name),
      types: metricHeaders.map(({ type }) => type),
      rows: toRows(rows),
      totals: toRows(totals)
    })
  )

export const sum = (rows: ReadonlyArray<Row>, metric = 0) =>
  rows.reduce((total, { numbers }) => total + (numbers[metric] ?? 0), 0)

export const column = (rows: ReadonlyArray<Row>, index = 0) => rows.map(({ values }) => values[index] ?? "")
