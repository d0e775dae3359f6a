import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Auth } from "../../src/Auth/Auth.ts"
import { newId } from "../../src/Domain/NewId.ts"
import { Sessions } from "../../src/Features/SignIn/Sessions.ts"
import { Members } from "../../src/Management/Members.ts"

export const newSession = Effect.fnUntraced(function*(beganWith: "link" | "oidc") {
  const member = yield* (yield* Members).create({ email: `${yield* newId("mem")}@example.com` })
  const token = yield* (yield* Sessions).start({ memberId: member.id, beganWith, userAgent: undefined })
  const principal = yield* (yield* Auth).authenticate({
    type: "cookie",
    token,
    access: "read_only",
    mayBeForged: false
  })
  return { member, session: principal.via === "session" ? principal : assert.fail("no session") }
})
