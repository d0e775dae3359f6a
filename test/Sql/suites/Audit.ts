import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Audit } from "../../../src/Audit/Audit.ts"
import { MemberId } from "../../../src/Domain/Ids.ts"
import { newId } from "../../../src/Domain/NewId.ts"
import { CurrentActor, memberActor, tokenActor } from "../../../src/Domain/Request/Actor.ts"
import { CurrentAddress } from "../../../src/Domain/Request/CurrentAddress.ts"
import { Invalidation } from "../../../src/Sql/Notify/Invalidation.ts"
import { fresh } from "../OtherInstance.ts"
import type { StorageTests } from "../StorageFixture.ts"

const entriesOf = Effect.fnUntraced(function*(subject: string) {
  return (yield* (yield* Audit).list({ subject }, {})).items
})

const insertClient = Effect.fnUntraced(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO clients ${sql.insert({ id, name: "x", created_at: new Date(0) })}`
}, Effect.orDie)

const clientExists = Effect.fnUntraced(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`SELECT 1 FROM clients WHERE id = ${id}`).length === 1
})

export const storedAudit: StorageTests = (it) =>
  describe("the audit", () => {
    it.effect("a change has an entry with its actor and address, and neither exists without the other", () =>
      Effect.gen(function*() {
        const audit = yield* Audit
        const member_id = MemberId.make(yield* newId("mem"))
        const subject = yield* newId("cli")
        const created = {
          action: "client.created",
          subject,
          details: { name: "x", note: "oa_0123456789abcdef" }
        } as const

        const failed = yield* Effect.exit(
          audit.change(Effect.andThen(insertClient(subject), Effect.fail("no")), () => [created])
        )
        assert.isTrue(failed._tag === "Failure")
        yield* Effect.exit(audit.change(insertClient(subject), () => {
          throw new Error("no entry")
        }))
        assert.isFalse(yield* clientExists(subject))
        assert.lengthOf(yield* entriesOf(subject), 0)

        yield* audit.change(insertClient(subject), () => [created]).pipe(
          Effect.provideService(CurrentActor, memberActor(member_id)),
          Effect.provideService(CurrentAddress, "192.0.2.1")
        )
        assert.isTrue(yield* clientExists(subject))
        const [entry, ...others] = yield* entriesOf(subject)
        assert.lengthOf(others, 0)
        const { at, id, ...rest } = entry ?? assert.fail("no entry")
        assert.match(id, /^aud_/)
        assert.strictEqual(at.getTime(), yield* Effect.clockWith((clock) => clock.currentTimeMillis))
        assert.deepStrictEqual(rest, {
          actor: { type: "member", member_id },
          action: "client.created",
          subject: { type: "client", id: subject },
          address: "192.0.2.1",
          details: { name: "x", note: "[redacted]" }
        })
      }))

    it.effect("an entry cannot be changed or deleted in the database", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const subject = yield* newId("cli")
        yield* (yield* Audit).change(Effect.void, () => [{ action: "client.created", subject }])
        const before = yield* entriesOf(subject)
        const changes = [sql`UPDATE audit SET actor_type = 'token'`, sql`DELETE FROM audit`, sql`TRUNCATE audit`]
        for (const statement of changes) {
          assert.include(String((yield* Effect.flip(statement)).reason.cause), "append-only")
        }
        assert.deepStrictEqual(yield* entriesOf(subject), before)
      }))

    it.effect("caches are invalidated after the commit, and not for a change that failed", () =>
      Effect.gen(function*() {
        const audit = yield* Audit
        const invalidation = yield* Invalidation
        const sql = yield* SqlClient.SqlClient
        const seen: Array<string> = []
        const id = yield* newId("key")
        yield* invalidation.subscribe((row) => {
          if (row?.id === id) seen.push(id)
        })
        const publish = invalidation.publish({ table: "keys", id })
        const entry = () => [{ action: "key.revoked", subject: id }] as const
        yield* Effect.exit(audit.change(Effect.andThen(publish, Effect.fail("no")), entry))
        assert.lengthOf(seen, 0)
        yield* audit.change(Effect.andThen(publish, Effect.sync(() => assert.lengthOf(seen, 0))), entry)
        assert.isAtLeast(seen.length, 1)
        assert.lengthOf(yield* sql`SELECT 1 FROM audit WHERE subject_id = ${id}`, 1)
      }))

    it.effect("refusals are recorded ten times an hour for a source and a hundred times in all, the rest is counted", () =>
      Effect.gen(function*() {
        const audit = yield* fresh(Audit, Audit.layer)
        const since = new Date(yield* Effect.clockWith((clock) => clock.currentTimeMillis))
        const filter = { action: "admin_token.refused", since } as const
        const refuse = (address: string) =>
          audit.refusal({ action: "admin_token.refused", subject: null }).pipe(
            Effect.provideService(CurrentActor, tokenActor),
            Effect.provideService(CurrentAddress, address)
          )
        yield* Effect.forEach(Array.from({ length: 15 }, (_, n) => `2001:db8::${n}`), refuse)
        const listed = audit.list(filter, { limit: 200 })
        assert.lengthOf((yield* listed).items, 10)
        yield* Effect.forEach(Array.from({ length: 200 }, (_, n) => `192.0.2.${n}`), refuse)
        assert.lengthOf((yield* listed).items, 100)

        yield* TestClock.adjust("1 hour")
        const counted = yield* Effect.repeat(listed, { until: ({ items }) => items[0]?.address === null })
        assert.deepStrictEqual(counted.items[0]?.details, { further_refusals: 115 })
        yield* refuse("192.0.2.1")
        assert.strictEqual((yield* listed).items[0]?.address, "192.0.2.1")
      }))
  })
