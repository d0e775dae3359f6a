import { Duration, Schema } from "effect"
import { SessionId } from "./Ids.ts"
import { Timestamp } from "./Validation/Fields.ts"

export const sessionIdle = Duration.days(7)
export const sessionLifetime = Duration.days(30)

export const SignInMethod = Schema.Literals(["password", "passkey", "oidc"])
export type SignInMethod = typeof SignInMethod.Type

export const SessionStart = Schema.Literals([...SignInMethod.literals, "link"])
export type SessionStart = typeof SessionStart.Type

export const Session = Schema.Struct({
  id: SessionId,
  created_at: Timestamp,
  last_used_at: Timestamp.annotate({ description: "Exact to the minute." }),
  current: Schema.Boolean.annotate({ description: "Whether it is the session of this request." }),
  address: Schema.NullOr(Schema.String).annotate({ description: "The IP address at sign-in." }),
  user_agent: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Session" })
export type Session = typeof Session.Type
