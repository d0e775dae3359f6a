import { assert, describe } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import type { SessionPrincipal } from "../../../src/Domain/Access/Principal.ts"
import { Links } from "../../../src/Features/SignIn/Links.ts"
import { Passkeys } from "../../../src/Features/SignIn/Passkeys/Passkeys.ts"
import { SignIn } from "../../../src/Features/SignIn/SignIn.ts"
import { Members } from "../../../src/Management/Members.ts"
import { ownDashboardUrl } from "../../../src/Settings.ts"
import { softAuthenticator } from "../../support/SoftAuthenticator.ts"
import { newSession } from "../NewSession.ts"
import type { StorageTests } from "../StorageFixture.ts"

export const relyingParty = Effect.map(ownDashboardUrl, (url) => ({ rpId: "localhost", origin: new URL(url).origin }))

const add = Effect.fnUntraced(function*(session: SessionPrincipal) {
  const passkeys = yield* Passkeys
  const authenticator = softAuthenticator()
  const rp = yield* relyingParty
  const { challenge } = yield* passkeys.register(session, undefined)
  const passkey = yield* passkeys.add(session, { name: "Key", response: authenticator.create({ challenge, ...rp }) })
  return { authenticator, passkey }
})

const start = Effect.fnUntraced(function*(authenticator: ReturnType<typeof softAuthenticator>, count: number) {
  const passkeys = yield* Passkeys
  const rp = yield* relyingParty
  const { browser, options } = yield* passkeys.authenticate
  return passkeys.signIn(authenticator.get({ challenge: options.challenge, ...rp }, count), browser, undefined)
})

export const passkeys: StorageTests = (it) => {
  describe("passkeys", () => {
    it.effect("sign in once with each challenge and count, also at the same time", () =>
      Effect.gen(function*() {
        const { member, session } = yield* newSession("oidc")
        const { authenticator, passkey } = yield* add(session)
        // Synced passkeys have no counter.
        for (const count of [0, 0]) yield* yield* start(authenticator, count)
        const one = yield* start(authenticator, 1)
        const twice = yield* Effect.all([Effect.exit(one), Effect.exit(one)], { concurrency: 2 })
        assert.lengthOf(twice.filter(Exit.isSuccess), 1)
        const sameCount = yield* Effect.all([
          Effect.exit(yield* start(authenticator, 5)),
          Effect.exit(yield* start(authenticator, 5))
        ], { concurrency: 2 })
        assert.lengthOf(sameCount.filter(Exit.isSuccess), 1)
        const signedIn = yield* yield* start(authenticator, 6)
        assert.deepStrictEqual(signedIn.member, member)
        const [used] = yield* (yield* Passkeys).list(member.id)
        assert.strictEqual(used?.id, passkey.id)
        assert.isNotNull(used?.last_used_at)
        assert.deepStrictEqual((yield* (yield* SignIn).describe(member.id)).methods, ["passkey"])
      }))

    it.effect("are refused for a challenge that is more than five minutes old", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { session } = yield* newSession("oidc")
        const { authenticator } = yield* add(session)
        const signIn = yield* start(authenticator, 1)
        const { challenge } = yield* (yield* Passkeys).register(session, undefined)
        yield* sql`UPDATE passkey_challenges SET created_at = created_at - '5 minutes'::interval`
        assert.strictEqual((yield* Effect.flip(signIn)).code, "unauthenticated")
        const response = softAuthenticator().create({ challenge, ...(yield* relyingParty) })
        const late = (yield* Passkeys).add(session, { name: "Late", response })
        assert.strictEqual((yield* Effect.flip(late)).code, "invalid_input")
      }))

    it.effect("need a sign-in within 15 minutes to be added, where the member has no password", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { session } = yield* newSession("oidc")
        const register = (yield* Passkeys).register(session, undefined)
        yield* register
        yield* sql`UPDATE sessions SET created_at = created_at - '15 minutes'::interval WHERE id = ${session.sessionId}`
        assert.strictEqual((yield* Effect.flip(register)).code, "forbidden")
        yield* sql`UPDATE sessions SET began_with = 'link' WHERE id = ${session.sessionId}`
        yield* register
      }))

    it.effect("count as a way to sign in, so that no setup link is made, and are deleted with their member", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { member, session } = yield* newSession("oidc")
        const { authenticator } = yield* add(session)
        assert.strictEqual((yield* (yield* Links).createSetup)._tag, "None")
        yield* (yield* Members).delete(member.id)
        assert.lengthOf(yield* sql`SELECT 1 FROM passkeys WHERE member_id = ${member.id}`, 0)
        const gone = yield* Effect.flip(yield* start(authenticator, 9))
        assert.strictEqual(gone.code, "unauthenticated")
      }))
  })
}
