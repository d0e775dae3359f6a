import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { scopes } from "../../../../src/Sandbox/Identity/Scopes.ts"
import { responseFaults } from "../../../support/Discovery.ts"
import { accessToken, at, send } from "../../SandboxFixture.ts"

export const domain = "sc-domain:fernhill.example"
export const blog = "https://blog.fernhill.example/"

export const request = (path: string, json?: unknown) =>
  Effect.flatMap(
    accessToken("google", scopes.webmastersReadonly),
    (token) => send("gsc", path, json === undefined ? { token } : { token, json })
  )

export const sitePath = (site: string) => `/webmasters/v3/sites/${encodeURIComponent(site)}`

export interface Row {
  readonly keys?: ReadonlyArray<string>
  readonly clicks: number
  readonly impressions: number
  readonly ctr: number
  readonly position?: number
}

export const weeks = { startDate: "2026-02-16", endDate: "2026-03-15" }

export const query = (body: object = {}, site = domain) =>
  request(`${sitePath(site)}/searchAnalytics/query`, { ...weeks, rowLimit: 25_000, ...body })

/** Each response is as the discovery document describes. */
export const reportOf = (body: object = {}, site = domain) =>
  Effect.map(query(body, site), ({ text }) => {
    assert.deepStrictEqual(responseFaults("gsc", "webmasters.searchanalytics.query", at(text)), [])
    const { rows = [], ...rest }: { rows?: ReadonlyArray<Row>; metadata?: unknown } = JSON.parse(text)
    return { ...rest, rows }
  })

export const sum = (rows: ReadonlyArray<Row>, of: "clicks" | "impressions") =>
  rows.reduce((total, row) => total + row[of], 0)

export const keysOf = (rows: ReadonlyArray<Row>, index = 0) => rows.map(({ keys = [] }) => keys[index] ?? "")

export const filtered = (dimension: string, operator: string, expression: string) => ({
  dimensionFilterGroups: [{ filters: [{ dimension, operator, expression }] }]
})
