import { assert, describe } from "@effect/vitest"
import { Effect, Option, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { ApprovalRoom } from "../../../src/Features/Approvals/ApprovalContents.ts"
import { Approvals } from "../../../src/Features/Approvals/Approvals.ts"
import type { Shown } from "../../../src/Features/Approvals/StoredApproval.ts"
import { Vault } from "../../../src/Secrets/Vault.ts"
import { newParty } from "../NewCall.ts"
import { fresh } from "../OtherInstance.ts"
import type { StorageTests } from "../StorageFixture.ts"

const instance = Effect.provideService(fresh(Approvals, Approvals.layer), ApprovalRoom, 10_000)

const start = Effect.gen(function*() {
  const approvals = yield* instance
  const { connection_id, member_id, principal } = yield* newParty
  const shown: Shown = {
    resourceName: null,
    resourceUrl: null,
    subject: { names: [], urls: [] },
    changes: [{ range: "A1", before: [[null]], after: [["a"]] }]
  }
  const ask = (text: string) =>
    Effect.result(approvals.create({
      principal,
      provider: "gsheets",
      target: "raw:values.update",
      connectionId: connection_id,
      call: { provider: "gsheets", endpoint: "values.update", input: { text }, connection_id }
    }, shown))
  const asked = (text: string) =>
    Effect.flatMap(ask(text), (result) =>
      Result.isSuccess(result) && Option.isSome(result.success)
        ? Effect.succeed(result.success.value)
        : Effect.die("nothing was asked"))
  const find = (id: string) => Effect.flatMap(approvals.find(principal, id), Effect.fromOption)
  const contentOf = (id: string) => Effect.flatMap(Effect.flatMap(find(id), approvals.open), approvals.content)
  return { approvals, ask, asked, contentOf, find, member_id, shown }
})

const long = (letter: string) => letter.repeat(3000)

export const storedApprovals: StorageTests = (it) =>
  describe("approvals", () => {
    it.effect("of a member have room for what waits, and those that were decided make room", () =>
      Effect.gen(function*() {
        const { approvals, ask, asked, contentOf, member_id } = yield* start
        const [one, two, three] = [yield* asked(long("a")), yield* asked(long("b")), yield* asked(long("c"))]
        const refused = yield* ask(long("d"))
        assert.strictEqual(Result.isFailure(refused) && refused.failure.details.limited_by, "member_share")
        yield* approvals.deny(one.id, member_id)
        yield* asked(long("d"))
        assert.isTrue(Option.isNone(yield* contentOf(one.id)), "the decided one is listed without its content")
        for (const { id } of [two, three]) assert.isTrue(Option.isSome(yield* contentOf(id)))
        assert.isTrue(Result.isFailure(yield* ask(long("e"))))
      }).pipe(Effect.orDie, Effect.scoped))

    it.effect("of a member keep an answer that is waited for", () =>
      Effect.gen(function*() {
        const { approvals, ask, asked, contentOf, member_id } = yield* start
        const { id } = yield* asked("a")
        const approved = yield* Effect.flatMap(approvals.approve(id, member_id), Effect.fromOption)
        const answer = { status: 200, retryAfter: null, body: long("x") }
        yield* approvals.finish(approved, approved.callId, answer)
        for (const letter of ["b", "c", "d"]) yield* ask(long(letter))
        assert.deepStrictEqual(Option.map(yield* contentOf(id), (content) => content.answer), Option.some(answer))
        yield* approvals.takeResult(id)
        yield* asked(long("d"))
        assert.isTrue(Option.isNone(yield* contentOf(id)))
      }).pipe(Effect.orDie, Effect.scoped))

    it.effect("of one member that ask together never take more than its room", () =>
      Effect.gen(function*() {
        const { ask } = yield* start
        const results = yield* Effect.forEach(["a", "b", "c", "d", "e", "f"], (letter) => ask(long(letter)), {
          concurrency: "unbounded"
        })
        assert.lengthOf(results.filter(Result.isSuccess), 3)
      }).pipe(Effect.orDie, Effect.scoped))

    it.effect("show other changes while they are pending alone", () =>
      Effect.gen(function*() {
        const { approvals, asked, contentOf, find, member_id } = yield* start
        const { id } = yield* asked("a")
        const changes: Shown["changes"] = [{ range: "A1", before: [["b"]], after: [["a"]] }]
        const approval = yield* Effect.flatMap(find(id), approvals.open)
        assert.isTrue(yield* approvals.restate(approval, changes))
        assert.deepStrictEqual(Option.map(yield* contentOf(id), (content) => content.changes), Option.some(changes))
        yield* approvals.deny(id, member_id)
        assert.isFalse(yield* approvals.restate(approval, []))
        assert.deepStrictEqual(Option.map(yield* contentOf(id), (content) => content.changes), Option.some(changes))
      }).pipe(Effect.orDie, Effect.scoped))

    it.effect("of an earlier version, which have everything in one column, are shown", () =>
      Effect.gen(function*() {
        const { approvals, asked, contentOf, find, shown } = yield* start
        const { id } = yield* asked("a")
        const approval = yield* Effect.flatMap(find(id), approvals.open)
        const { call } = yield* Effect.flatMap(approvals.asked(approval), Effect.fromOption)
        const { connectionId, provider, target } = approval
        const sql = yield* SqlClient.SqlClient
        yield* sealEarlier(sql, id, { provider, target, connectionId, call, changes: shown.changes, answer: null })
        const content = yield* Effect.flatMap(contentOf(id), Effect.fromOption)
        assert.deepStrictEqual([content.call, content.changes, content.answer], [call, shown.changes, null])
      }).pipe(Effect.orDie, Effect.scoped))
  })

const sealEarlier = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, id: string, content: object) {
  const { bytes, encryptionKeyId } = (yield* Vault).encrypt(id, Redacted.make(JSON.stringify(content)))
  yield* sql`UPDATE approvals SET content = ${bytes}, encryption_key_id = ${encryptionKeyId} WHERE id = ${id}`
  yield* sql`DELETE FROM approval_parts WHERE approval_id = ${id}`
})
