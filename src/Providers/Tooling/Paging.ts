import { Schema } from "effect"
import { Integer } from "./Integer.ts"

export interface RowRange {
  readonly limit: number
  readonly offset: number
}

export const pageInfoFields = {
  returned: Integer,
  has_more: Schema.Boolean,
  next_offset: Schema.optionalKey(Integer)
}
export type PageInfo = Schema.Struct<typeof pageInfoFields>["Type"]

export interface RowPage<A> {
  readonly rows: ReadonlyArray<A>
  readonly info: PageInfo
}

export const probeLimit = ({ limit }: RowRange): number => limit + 1

export const takePage = <A>(
  rows: ReadonlyArray<A>,
  { limit, offset }: RowRange,
  maxOffset = Number.MAX_SAFE_INTEGER
): RowPage<A> => {
  const page = rows.slice(0, limit)
  const next = offset + limit
  const has_more = rows.length > limit
  return {
    rows: page,
    info: { returned: page.length, has_more, ...(has_more && next <= maxOffset ? { next_offset: next } : {}) }
  }
}

export const slicePage = <A>(rows: ReadonlyArray<A>, range: RowRange, maxOffset?: number): RowPage<A> =>
  takePage(rows.slice(range.offset), range, maxOffset)
