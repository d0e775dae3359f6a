import { assert, describe } from "@effect/vitest"
import { Effect, Exit, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { type OidcAccount, OidcProvider, type Proofs } from "../../../src/Features/SignIn/Oidc/OidcProvider.ts"
import { OidcSignIn } from "../../../src/Features/SignIn/Oidc/OidcSignIn.ts"
import { PasswordCheck } from "../../../src/Features/SignIn/Passwords/PasswordCheck.ts"
import { SignIn } from "../../../src/Features/SignIn/SignIn.ts"
import { Members } from "../../../src/Management/Members.ts"
import { newSession } from "../NewSession.ts"
import { fresh } from "../OtherInstance.ts"
import type { StorageTests } from "../StorageFixture.ts"

const issuer = "https://id.example.com"

const Provider = Layer.succeed(OidcProvider, {
  provider: Option.some({
    authorizeUrl: ({ state }: Proofs) => Effect.succeed(`${issuer}/authorize?state=${state}`),
    account: (search: string): Effect.Effect<OidcAccount> => Effect.succeed({ issuer, subject: search })
  })
})

export const oidcSignIn = fresh(
  OidcSignIn,
  OidcSignIn.layerNoDeps.pipe(Layer.provide([Provider, PasswordCheck.layer]))
)

export const stateIn = (url: string) => new URL(url).searchParams.get("state") ?? ""

export const oidc: StorageTests = (it) => {
  describe("sign-ins at an OpenID provider", () => {
    it.effect("finish once, also at the same time, and belong to the bound member", () =>
      Effect.gen(function*() {
        const oidc = yield* oidcSignIn
        const { member, session } = yield* newSession("link")
        const subject = member.id
        const start = Effect.fnUntraced(function*(bound?: typeof session) {
          const { browser, url } = yield* oidc.start(bound)
          return oidc.finish({ state: stateIn(url), search: subject, browser, userAgent: undefined })
        })
        assert.isTrue(Option.isNone(yield* yield* start(session)))
        assert.deepStrictEqual((yield* (yield* SignIn).describe(member.id)).methods, ["oidc"])
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
        const { browser, url } = yield* oidc.start(undefined)
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
