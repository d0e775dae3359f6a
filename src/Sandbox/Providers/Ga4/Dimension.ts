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
