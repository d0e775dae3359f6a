import type { Session, SessionEvent } from "./Sessions.ts"

export interface Dimension {
  readonly apiName: string
  readonly uiName: string
  readonly category: string
  readonly description: string
  readonly custom?: true
  readonly reports?: "both" | "realtime"
  readonly eventScoped?: true
  readonly value: (session: Session, event: SessionEvent) => string
}

type Row = readonly [
  apiName: string,
  uiName: string,
  description: string,
  value: Dimension["value"],
  more?: Pick<Dimension, "custom" | "reports" | "eventScoped">
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
