import { assert, describe, type Vitest } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Auth } from "../../../src/Auth/Auth.ts"
import { callerOf } from "../../../src/Domain/Access/Principal.ts"
import { KeyId } from "../../../src/Domain/Ids.ts"
import { newId } from "../../../src/Domain/NewId.ts"
import { CurrentActor, memberActor } from "../../../src/Domain/Request/Actor.ts"
import { Keys } from "../../../src/Management/Keys.ts"
import { Members } from "../../../src/Management/Members.ts"
import { generateApiKey, hashToken } from "../../../src/Secrets/IssuedSecrets.ts"
import { bearer, KnownKeys, newKey, otherAuth, refuses } from "../KnownKeys.ts"
import type { StorageTests } from "../StorageFixture.ts"

const withTypo = (key: Redacted.Redacted) => {
  const text = Redacted.value(key)
  return Redacted.make(`${text.slice(0, -1)}${text.endsWith("0") ? "1" : "0"}`)
}

const times = <A, E>(count: number, effect: Effect.Effect<A, E>) =>
  Effect.all(Array.from({ length: count }, () => effect), { concurrency: "unbounded" })

export const auth = (it: Vitest.MethodsNonLive<Auth | KnownKeys>) =>
  describe("API keys", () => {
    it.effect("a key has its member's limits and its own access, read-only by default", () =>
      Effect.gen(function*() {
        const auth = yield* Auth
        const { readOnly, readWrite } = yield* KnownKeys
        for (const { key, principal } of [readOnly, readWrite]) {
          assert.deepStrictEqual(yield* auth.authenticate(bearer(key)), principal)
          if (principal.via === "key") assert.deepStrictEqual(yield* auth.ofHolder(principal.keyId), principal)
        }
        const ended = yield* Effect.flip(auth.ofHolder(KeyId.make(yield* newId("key"))))
        assert.strictEqual(ended._tag, "Unauthenticated")
      }))
  })

export const storedKeys: StorageTests = (it) =>
  describe("stored API keys", () => {
    it.effect("a key with a wrong checksum is rejected even when it is stored", () =>
      Effect.gen(function*() {
        const { member } = yield* newKey
        const auth = yield* Auth
        const sql = yield* SqlClient.SqlClient
        const typo = withTypo(generateApiKey())
        const hash = Buffer.from(hashToken(typo), "hex")
        yield* sql`INSERT INTO keys (id, member_id, name, access, hash, hint, created_at)
          VALUES (${yield* newId("key")}, ${member.id}, 'typo', 'read_only', ${hash}, 'typo', now())`
        yield* refuses(auth, typo)
      }))

    it.effect("a valid key is accepted among hundreds of unknown keys in the same batch", () =>
      Effect.gen(function*() {
        const { secret, stored } = yield* newKey
        const auth = yield* otherAuth
        const unknown = Array.from({ length: 300 }, generateApiKey)
        const exits = yield* Effect.forEach(
          [...unknown, secret, ...unknown],
          (key) => Effect.option(auth.authenticate(bearer(key))),
          { concurrency: "unbounded" }
        )
        const [principal, ...others] = exits.flatMap(Option.toArray)
        assert.strictEqual(principal && callerOf(principal).key_id, stored.id)
        assert.lengthOf(others, 0)
      }))

    it.effect("a revoked key is rejected immediately, and by another instance within a second", () =>
      Effect.gen(function*() {
        const { secret, stored } = yield* newKey
        const [here, there] = [yield* Auth, yield* otherAuth]
        yield* here.authenticate(bearer(secret))
        yield* there.authenticate(bearer(secret))

        const { revoked_at } = yield* (yield* Keys).revoke(stored.id)
        assert.isNotNull(revoked_at)
        yield* refuses(here, secret)
        yield* TestClock.adjust("1 second")
        yield* refuses(there, secret)

        assert.deepStrictEqual((yield* (yield* Keys).revoke(stored.id)).revoked_at, revoked_at)
      }))

    it.effect("a key is refused from its expiry on, by every instance that has just used it, until it gets a later one", () =>
      Effect.gen(function*() {
        const keys = yield* Keys
        const { secret, stored } = yield* newKey
        const [here, there] = [yield* Auth, yield* otherAuth]
        const expires_at = new Date(stored.created_at.getTime() + 60_000)
        yield* keys.change(stored.id, { expires_at })
        yield* TestClock.adjust(59_900)
        yield* here.authenticate(bearer(secret))
        yield* there.authenticate(bearer(secret))
        yield* TestClock.adjust(100)
        yield* refuses(here, secret)
        yield* refuses(there, secret)

        yield* TestClock.adjust("1 second")
        yield* refuses(there, secret)
        yield* keys.change(stored.id, { expires_at: null })
        yield* here.authenticate(bearer(secret))
        yield* TestClock.adjust("1 second")
        yield* there.authenticate(bearer(secret))
      }))

    it.effect("a member's new limits apply to its keys immediately, and on another instance within a second", () =>
      Effect.gen(function*() {
        const { member, secret } = yield* newKey
        const [here, there] = [yield* Auth, yield* otherAuth]
        yield* here.authenticate(bearer(secret))
        yield* there.authenticate(bearer(secret))

        yield* (yield* Members).change(member.id, { client_ids: [] })
        assert.deepStrictEqual((yield* here.authenticate(bearer(secret))).clientIds, [])
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual((yield* there.authenticate(bearer(secret))).clientIds, [])
        yield* (yield* Members).change(member.id, { client_ids: null })
        assert.isNull((yield* here.authenticate(bearer(secret))).clientIds)
      }))

    it.effect("last_used_at is written at most once a minute, whichever instance is used", () =>
      Effect.gen(function*() {
        const { secret, stored } = yield* newKey
        const instances = [yield* otherAuth, yield* Auth]
        for (const [after, written] of [[0, 0], [59_000, 0], [1000, 60_000]] as const) {
          yield* TestClock.adjust(after)
          for (const { authenticate } of instances) yield* authenticate(bearer(secret))
          const { items } = yield* (yield* Keys).list({ limit: 200 })
          const used = items.find(({ id }) => id === stored.id)?.last_used_at
          assert.strictEqual(used?.getTime(), stored.created_at.getTime() + written)
        }
      }))

    it.effect("a member who makes several keys concurrently gets no more than its room", () =>
      Effect.gen(function*() {
        const { member } = yield* newKey
        const make = (yield* Keys).create({ member_id: member.id, name: "script" })
        yield* times(97, make)
        const made = yield* times(8, Effect.option(make)).pipe(
          Effect.provideService(CurrentActor, memberActor(member.id))
        )
        assert.lengthOf(made.filter(Option.isSome), 2)
      }))

    it.effect("the keys of a deleted member are rejected and revoked", () =>
      Effect.gen(function*() {
        const { member, secret, stored } = yield* newKey
        const auth = yield* Auth
        yield* auth.authenticate(bearer(secret))
        yield* (yield* Members).delete(member.id)
        yield* refuses(auth, secret)
        const { items } = yield* (yield* Keys).list({ limit: 200 })
        assert.isNotNull(items.find(({ id }) => id === stored.id)?.revoked_at)
      }))
  })

export const storedMembers: StorageTests = (it) =>
  describe("stored members", () => {
    it.effect("only one of two members gets an e-mail address that both take at the same time", () =>
      Effect.gen(function*() {
        const members = yield* Members
        const [one, two] = [yield* members.create({ email: "one@race" }), yield* members.create({ email: "two@race" })]
        const taken = yield* Effect.forEach(
          [
            members.create({ email: "Race@example.com" }),
            members.create({ email: "race@EXAMPLE.com" }),
            members.change(one.id, { email: "RACE@example.com" }),
            members.change(two.id, { email: "race@example.com" })
          ],
          (change: Effect.Effect<unknown, { readonly _tag: string }>) => Effect.result(change),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          taken.map((result) => result._tag === "Failure" ? result.failure._tag : "ok").toSorted(),
          ["EmailTaken", "EmailTaken", "EmailTaken", "ok"]
        )
      }))
  })
