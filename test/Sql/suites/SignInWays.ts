import { assert, describe } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Auth } from "../../../src/Auth/Auth.ts"
import type { SessionPrincipal } from "../../../src/Domain/Access/Principal.ts"
import { newId } from "../../../src/Domain/NewId.ts"
import { Links } from "../../../src/Features/SignIn/Links.ts"
import { type OidcAccount, OidcProvider, type Proofs } from "../../../src/Features/SignIn/Oidc/OidcProvider.ts"
import { OidcSignIn } from "../../../src/Features/SignIn/Oidc/OidcSignIn.ts"
import { Passkeys } from "../../../src/Features/SignIn/Passkeys/Passkeys.ts"
import { PasswordCheck } from "../../../src/Features/SignIn/Passwords/PasswordCheck.ts"
import { Sessions } from "../../../src/Features/SignIn/Sessions.ts"
import { SignIn } from "../../../src/Features/SignIn/SignIn.ts"
import { Keys } from "../../../src/Management/Keys.ts"
import { Members } from "../../../src/Management/Members.ts"
import { ownDashboardUrl } from "../../../src/Settings.ts"
import { eventually } from "../../support/Eventually.ts"
import { softAuthenticator } from "../../support/SoftAuthenticator.ts"
import { fresh } from "../OtherInstance.ts"
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

const issuer = "https://id.example.com"

const Provider = Layer.succeed(OidcProvider, {
  provider: Option.some({
    authorizeUrl: ({ state }: Proofs) => Effect.succeed(`${issuer}/authorize?state=${state}`),
    account: (search: string): Effect.Effect<OidcAccount> => Effect.succeed({ issuer, subject: search })
  })
})

export const oidcSignIn = fresh(OidcSignIn, OidcSignIn.layerNoDeps.pipe(Layer.provide([Provider, PasswordCheck.layer])))

const browser = Redacted.make("the browser's own value")

export const stateIn = (url: string) => new URL(url).searchParams.get("state") ?? ""

export const oidc: StorageTests = (it) => {
  describe("sign-ins at an OpenID provider", () => {
    it.effect("finish once, also at the same time, and belong to the bound member", () =>
      Effect.gen(function*() {
        const oidc = yield* oidcSignIn
        const { member, session } = yield* newSession("link")
        const subject = member.id
        const start = Effect.fnUntraced(function*(bound?: typeof session) {
          const url = yield* oidc.start(bound, browser)
          return oidc.finish({ state: stateIn(url), search: subject, browser, userAgent: undefined })
        })
        assert.isTrue(Option.isNone(yield* yield* start(session)))
        // The settings of this service name no provider, so nobody could sign in at one.
        assert.deepStrictEqual((yield* (yield* SignIn).describe(member.id)).methods, [])
        const finish = yield* start()
        const exits = yield* Effect.all([Effect.exit(finish), Effect.exit(finish)], { concurrency: 2 })
        assert.lengthOf(exits.filter(Exit.isSuccess), 1)
        const signedIn = Option.getOrThrow(yield* yield* start())
        assert.deepStrictEqual(signedIn.member, member)

        yield* (yield* Members).delete(member.id)
        assert.strictEqual((yield* Effect.flip(yield* start())).code, "unauthenticated")
      }).pipe(Effect.scoped))

    it.effect("end after ten minutes, and the database has none of their secrets", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const oidc = yield* oidcSignIn
        const url = yield* oidc.start(undefined, browser)
        const rows = JSON.stringify(yield* sql`SELECT t::text AS row FROM oidc_sign_ins t`)
        assert.include(rows, "x")
        for (const secret of [stateIn(url), Redacted.value(browser)]) {
          assert.notInclude(rows, secret)
          assert.notInclude(rows, Buffer.from(secret).toString("hex"))
        }
        yield* sql`UPDATE oidc_sign_ins SET created_at = created_at - '10 minutes'::interval`
        const late = oidc.finish({ state: stateIn(url), search: "late", browser, userAgent: undefined })
        assert.match((yield* Effect.flip(late)).message, /longer than 10 minutes/)
      }).pipe(Effect.scoped))
  })
}

const makeGains = Effect.gen(function*() {
  const { member, session } = yield* newSession("link")
  const passkeys = yield* Passkeys
  const oidc = yield* oidcSignIn
  const { challenge } = yield* passkeys.register(session, undefined)
  const response = softAuthenticator().create({ challenge, ...(yield* relyingParty) })
  const url = yield* oidc.start(session, browser)
  const gains: Readonly<Record<string, Effect.Effect<unknown, { readonly code: string }>>> = {
    keys: (yield* Keys).create({ member_id: member.id, name: "late" }),
    passwords: (yield* SignIn).setPassword(session, { password: Redacted.make("three quiet harbours") }),
    passkeys: passkeys.add(session, { name: "Late", response }),
    oidc_accounts: oidc.finish({ state: stateIn(url), search: member.id, browser, userAgent: undefined })
  }
  return { gains, member }
})

export const deletedMembers: StorageTests = (it) =>
  describe("members", () => {
    it.effect("get no key and no way to sign in while their deletion is not committed", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { gains, member } = yield* makeGains
        const tables = Object.keys(gains)
        const deleted = yield* Deferred.make<void>()
        const mayCommit = yield* Deferred.make<void>()
        const deletion = yield* (yield* Members).delete(member.id).pipe(
          Effect.andThen(Deferred.succeed(deleted, undefined)),
          Effect.andThen(Deferred.await(mayCommit)),
          sql.withTransaction,
          Effect.forkChild
        )
        yield* Deferred.await(deleted)
        let ended = 0
        const fibers = yield* Effect.forEach(Object.values(gains), (gain) =>
          Effect.flip(gain).pipe(
            Effect.map(({ code }) => code),
            Effect.ensuring(Effect.sync(() => ended++)),
            Effect.forkChild
          ))
        const waiting =
          sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
        yield* TestClock.withLive(eventually(waiting, ({ length }) => length + ended >= tables.length))
        yield* Deferred.succeed(mayCommit, undefined)
        yield* Fiber.join(deletion)
        assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), [
          "member_not_found",
          "unauthenticated",
          "invalid_input",
          "unauthenticated"
        ])
        for (const table of tables) {
          assert.lengthOf(yield* sql`SELECT 1 FROM ${sql(table)} WHERE member_id = ${member.id}`, 0, table)
        }
      }).pipe(Effect.scoped))
  })

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
