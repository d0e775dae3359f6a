import { assert, describe } from "@effect/vitest"
import { Deferred, Effect, Fiber, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Passkeys } from "../../../src/Features/SignIn/Passkeys/Passkeys.ts"
import { SignIn } from "../../../src/Features/SignIn/SignIn.ts"
import { Keys } from "../../../src/Management/Keys.ts"
import { Members } from "../../../src/Management/Members.ts"
import { eventually } from "../../support/Eventually.ts"
import { softAuthenticator } from "../../support/SoftAuthenticator.ts"
import { newSession } from "../NewSession.ts"
import type { StorageTests } from "../StorageFixture.ts"
import { oidcSignIn, stateIn } from "./Oidc.ts"
import { relyingParty } from "./Passkeys.ts"

const makeGains = Effect.gen(function*() {
  const { member, session } = yield* newSession("link")
  const passkeys = yield* Passkeys
  const oidc = yield* oidcSignIn
  const { challenge } = yield* passkeys.register(session, undefined)
  const response = softAuthenticator().create({ challenge, ...(yield* relyingParty) })
  const { browser, url } = yield* oidc.start(session)
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
