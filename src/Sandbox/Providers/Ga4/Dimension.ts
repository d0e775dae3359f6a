import type { Session, SessionEvent } from "./Sessions.ts"

export interface Dimension {
  readonly apiName: string
  readonly uiName: string
  readonly category: string
  readonly description: string
  readonly custom?: true
  readonly deprecatedName?: string
  readonly reports?: "both" | "realtime"
  readonly eventScoped?: true
  readonly value: (session: Session, event: SessionEvent) => string
}

type Row = readonly [
  apiName: string,
  uiName: string,
  description: string,
  value: Dimension["value"],
  more?: Pick<Dimension, "custom" | "deprecatedName" | "reports" | "eventScoped">
]

export const inCategory = (category: string, rows: ReadonlyArray<Row>): ReadonlyArray<Dimension> =>
  rows.map(([apiName, uiName, description, value, more]) => ({
    apiName,
    uiName,
    category,
    description,
    value,
    ...more
  }))

/** Finds fields also by their deprecated names. */
export const byName = <A extends { readonly apiName: string; readonly deprecatedName?: string }>(
  fields: ReadonlyArray<A>
): ReadonlyMap<string, A> =>
  new Map(fields.flatMap((field) => [field.apiName, field.deprecatedName ?? []].flat().map((name) => [name, field])))
