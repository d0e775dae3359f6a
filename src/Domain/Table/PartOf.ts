import * as Predicate from "effect/Predicate"
import type { TablePart } from "../Calls/TablePart.ts"
import { valuesAt } from "./TableRows.ts"
import type { Paging, TableSource } from "./TableSource.ts"

export interface FoundPart {
  readonly fields: TablePart
  /** False where the fields say that nothing is missing. */
  readonly isPart: boolean
}

/** What an answer says about rows that it lacks. `undefined` if it says nothing. */
export const partOf = (whole: unknown, source: TableSource | undefined): FoundPart | undefined => {
  if (!Predicate.isObject(whole)) return undefined
  const [rows] = source === undefined ? [] : valuesAt(whole, source.at)
  const count = Array.isArray(rows) ? rows.length : 0
  const fields = source?.paging === undefined ? ownFields(whole) : pagedFields(whole, source.paging, count)
  const found = { fields, isPart: isPart(fields, count) }
  // The paging fields of a provider are shown only if rows are missing.
  return found.isPart || source?.paging === undefined && Object.keys(fields).length > 0 ? found : undefined
}

/** Whether rows are missing. `count` is the number of rows in the answer, if it is known. */
export const isPart = ({ has_more, total_rows = 0, truncated }: TablePart, count = Infinity): boolean =>
  has_more === true || truncated === true || count < total_rows

/** Says to people and agents which fields lead to the other rows. */
export const partText = (part: TablePart): string => {
  const others = Object.entries(part).filter(([name]) => name !== "has_more")
  const fields = others.map(([name, value]) => `${name} ${value}`).join(", ")
  return `These rows are a part of what there is${fields && `: ${fields}`}.`
}

type Fields = Readonly<Record<string, unknown>>

const ownFields = ({ has_more, next_offset, total_rows, truncated }: Fields): TablePart => ({
  ...Predicate.isBoolean(has_more) ? { has_more } : {},
  ...Predicate.isNumber(next_offset) ? { next_offset } : {},
  ...Predicate.isNumber(total_rows) ? { total_rows } : {},
  ...Predicate.isBoolean(truncated) ? { truncated } : {}
})

const pagedFields = (whole: Fields, { limit, offset, token, total }: Paging, count: number): TablePart => {
  const next = token === undefined ? undefined : whole[token]
  const all = total === undefined ? undefined : whole[total]
  const end = (offset ?? 0) + count
  const has_more = Predicate.isNumber(all) ? end < all : limit === undefined ? isToken(next) : count >= limit
  return {
    has_more,
    ...has_more && offset !== undefined ? { next_offset: end } : {},
    ...isToken(next) ? { next_page_token: next } : {},
    ...Predicate.isNumber(all) ? { total_rows: all } : {}
  }
}

const isToken = (value: unknown): value is string => Predicate.isString(value) && value !== ""
