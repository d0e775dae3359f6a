import type { Redacted } from "effect"
import type { Access } from "../Domain/Principal.ts"

/** What a request shows of its caller. */
export type Credential = BearerToken | SessionCookie

export interface BearerToken {
  readonly type: "bearer"
  readonly token: Redacted.Redacted
}

export interface SessionCookie {
  readonly type: "cookie"
  readonly token: Redacted.Redacted
  /** What the request asks for. A session reads unless it asks to write. */
  readonly access: Access
  /** Browsers send the cookie with requests that other sites make. Such a request must not change anything. */
  readonly mayBeForged: boolean
}
