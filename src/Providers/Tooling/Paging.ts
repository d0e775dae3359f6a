/** The part of a list that a caller wants. */
export interface RowRange {
  readonly limit: number
  readonly offset: number
}

/** What says that a list was cut, and how to go on. */
export interface Paging {
  readonly returned: number
  readonly has_more: boolean
  readonly next_offset?: number
}

export interface RowPage<A> {
  readonly rows: ReadonlyArray<A>
  readonly paging: Paging
}

/** The limit to ask upstream for: one row more than wanted shows whether there are more. */
export const probeLimit = ({ limit }: RowRange): number => limit + 1

/**
 * Of `rows`, which start at the wanted offset and may be more than wanted, those that are. Where the next page is beyond
 * `maxOffset`, the greatest offset that can be asked for, there is more but no way to it.
 */
export const pageOf = <A>(
  rows: ReadonlyArray<A>,
  { limit, offset }: RowRange,
  maxOffset = Number.MAX_SAFE_INTEGER
): RowPage<A> => {
  const wanted = rows.slice(0, limit)
  const next = offset + limit
  const has_more = rows.length > limit
  return {
    rows: wanted,
    paging: { returned: wanted.length, has_more, ...(has_more && next <= maxOffset ? { next_offset: next } : {}) }
  }
}

/** A page of a list that is here as a whole. */
export const pageOfAll = <A>(rows: ReadonlyArray<A>, request: RowRange, maxOffset?: number): RowPage<A> =>
  pageOf(rows.slice(request.offset), request, maxOffset)
