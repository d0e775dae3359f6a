import type { Redacted } from "effect"
import type { AccessLevel } from "../Domain/Access/Principal.ts"

export type Credential = BearerToken | SessionCookie

export interface BearerToken {
  readonly type: "bearer"
  readonly token: Redacted.Redacted
}

export interface SessionCookie {
  readonly type: "cookie"
  readonly token: Redacted.Redacted
  readonly access: AccessLevel
  readonly mayBeForged: boolean
}
