import type { RawInput } from "../../src/Providers/Provider.ts"
import { fakeProvider } from "./FakeProvider.ts"
import { type Json, objectOf, objectsOf } from "./RunTool.ts"

export interface Landing {
  readonly page: string
  readonly sessions: number
  readonly users: number
  readonly engaged: number
}

/** Evaluates filters on landing pages. Ignores filters on other dimensions. */
const passes = (filter: unknown, page: string): boolean => {
  const { andGroup, filter: primitive, notExpression, orGroup } = objectOf(filter)
  if (orGroup !== undefined) return objectsOf(objectOf(orGroup)["expressions"]).some((each) => passes(each, page))
  if (andGroup !== undefined) return objectsOf(objectOf(andGroup)["expressions"]).every((each) => passes(each, page))
  if (notExpression !== undefined) return !passes(notExpression, page)
  const { emptyFilter, fieldName, inListFilter, stringFilter } = objectOf(primitive)
  if (!String(fieldName).startsWith("landingPage")) return true
  if (emptyFilter !== undefined) return page === "" || page === "(not set)"
  if (inListFilter !== undefined) {
    const { values } = objectOf(inListFilter)
    return Array.isArray(values) && values.includes(page)
  }
  return page.toLowerCase().includes(String(objectOf(stringFilter)["value"]).toLowerCase())
}

const values = (row: Landing) =>
  [row.sessions, row.users, row.engaged, row.sessions === 0 ? 0 : row.engaged / row.sessions].map((value) => ({
    value: String(value)
  }))

const byName = (a: string, b: string) => a < b ? -1 : a > b ? 1 : 0

const totalOf = (rows: ReadonlyArray<Landing>): Landing =>
  rows.reduce((sum, { engaged, sessions, users }) => ({
    page: "",
    sessions: sum.sessions + sessions,
    users: sum.users + users,
    engaged: sum.engaged + engaged
  }), { page: "", sessions: 0, users: 0, engaged: 0 })

export const fakeAnalytics = (
  landings: ReadonlyArray<Landing>,
  {
    before,
    extra = {},
    isEmpty = () => false,
    total = { page: "", sessions: 50, users: 30, engaged: 20 },
    values: valuesOf = {}
  }: {
    readonly total?: Landing
    readonly extra?: Json
    /** For every batch but the first. */
    readonly before?: ReadonlyArray<Landing>
    readonly isEmpty?: (request: Json) => boolean
    /** Of dimensions other than landing pages. */
    readonly values?: Readonly<Record<string, ReadonlyArray<string>>>
  } = {}
) => {
  let batches = 0
  return fakeProvider((_, input) => {
    const isFirst = batches++ === 0
    const shown = isFirst ? landings : before ?? landings
    return {
      kind: "analyticsData#batchRunReports",
      reports: requestsOf(input).map((request) => {
        const more = { metadata: { currencyCode: "USD", timeZone: "Pacific/Honolulu" }, ...extra }
        const [dimension] = objectsOf(request["dimensions"])
        if (isEmpty(request)) return more
        if (dimension === undefined) {
          const sum = isFirst || before === undefined ? total : totalOf(before)
          return { rows: [{ metricValues: values(sum) }], rowCount: 1, ...more }
        }
        const others = valuesOf[String(dimension["name"])]
        const rows = others?.map((value) => landing(value, 1)) ?? shown
          .filter(({ page }) => passes(request["dimensionFilter"] ?? { andGroup: {} }, page))
          .toSorted((a, b) => b.sessions - a.sessions || byName(a.page, b.page))
        const offset = Number(request["offset"] ?? 0)
        const cut = rows.slice(offset, offset + Number(request["limit"] ?? 10_000)).map((row) => ({
          dimensionValues: [row.page === "" ? {} : { value: row.page }],
          metricValues: values(row)
        }))
        return {
          ...(cut.length === 0 ? {} : { rows: cut }),
          ...(rows.length === 0 ? {} : { rowCount: rows.length }),
          ...more
        }
      })
    }
  })
}

export const requestsOf = (input: RawInput): ReadonlyArray<Json> => objectsOf(objectOf(input.body)["requests"])

export const landing = (page: string, sessions: number, users = sessions, engaged = 0): Landing => ({
  page,
  sessions,
  users,
  engaged
})
