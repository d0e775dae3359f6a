import { assert, describe, type Vitest } from "@effect/vitest"
import { Clock, Effect, Exit, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CallLog } from "../../../src/Calls/Log/CallLog.ts"
import { SecretHashes } from "../../../src/Calls/Log/SecretHashes.ts"
import { LogBodies, plainBodies } from "../../../src/Calls/Log/Storage/LogBodies.ts"
import type { Viewer } from "../../../src/Domain/Access/Principal.ts"
import type { CallEntry } from "../../../src/Domain/Calls/Call.ts"
import { CallId, type ConnectionId, MemberId } from "../../../src/Domain/Ids.ts"
import { JsonText } from "../../../src/Domain/Json/JsonText.ts"
import { idMillis, newId } from "../../../src/Domain/NewId.ts"
import { PageRequest } from "../../../src/Domain/Page.ts"
import { neverUndone } from "../../support/NeverUndone.ts"
import { at } from "../At.ts"
import { newCall, newParty, newRead, redacted, report } from "../NewCall.ts"
import { fresh } from "../OtherInstance.ts"
import type { StorageTests } from "../StorageFixture.ts"
import { StoredLog } from "../StoredLog.ts"

const digits = (value: number, length: number) =>
  value.toString(32).replace(/[a-v]/g, (digit) => "abcdefghjkmnpqrstvwxyz".charAt(digit.charCodeAt(0) - 97))
    .padStart(length, "0")

const idAt = (millis: number, number: number) => CallId.make(`call_${digits(millis, 10)}${digits(number, 16)}`)

const day = 86_400_000

const marker = "a customer's own words"

const everybody: Viewer = { memberId: MemberId.make(`mem_${"0".repeat(26)}`), clientIds: null, connectionIds: null }

const unknown = { client_id: null, connection_id: null }

const otherLog = fresh(CallLog, StoredLog)

const partitions = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string }>`
    SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'calls'::regclass ORDER BY name`
  return rows.map(({ name }) => name)
})

const partitionOf = (millis: number) => `calls_${new Date(millis).toISOString().slice(0, 10).replaceAll("-", "")}`

const pagesOf = Effect.fnUntraced(function*(
  viewer: Viewer,
  filter: Parameters<CallLog["Service"]["list"]>[1],
  limit = 7
) {
  const log = yield* CallLog
  const ids: Array<string> = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = yield* log.list(viewer, filter, { limit, ...(cursor === undefined ? {} : { cursor }) })
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.cursor
  }
  return ids
})

export const callLog = (it: Vitest.MethodsNonLive<CallLog>) =>
  describe("the log of calls", () => {
    it.effect("a member sees the calls of its clients' connections, and its own calls without a connection", () =>
      Effect.gen(function*() {
        const log = yield* CallLog
        const [mine, other, second] = [yield* newParty, yield* newParty, yield* newParty]
        const calls = {
          own: yield* newCall(mine),
          byColleague: yield* newCall({ ...other, client_id: mine.client_id, connection_id: mine.connection_id }),
          ownWithoutConnection: yield* newCall(mine, unknown),
          ownThroughAnother: yield* newCall(mine, { client_id: other.client_id, connection_id: other.connection_id }),
          ownThroughOneWithoutClient: yield* newCall(mine, { client_id: null }),
          ownThroughASecond: yield* newCall(mine, { connection_id: second.connection_id }),
          another: yield* newCall(other),
          anotherWithoutConnection: yield* newCall(other, unknown),
          unauthenticated: yield* newCall(mine, { ...unknown, member_id: null, key_id: null })
        }
        yield* Effect.forEach(Object.values(calls), (call) => log.append(redacted(call)), { discard: true })
        const { request, response } = Option.getOrThrow(yield* log.find(mine.viewer, calls.own.id))
        assert.deepStrictEqual([request?.text, response?.text], [calls.own.request, calls.own.response])

        const seenBy = Effect.fnUntraced(function*(viewer: Viewer) {
          const listed = new Set(yield* pagesOf(viewer, {}, 200))
          const found = yield* Effect.filter(
            Object.values(calls),
            ({ id }) => Effect.map(log.find(viewer, id), Option.isSome)
          )
          const names = Object.entries(calls).flatMap(([name, { id }]) => listed.has(id) ? [name] : [])
          assert.deepStrictEqual(
            found.map(({ id }) => id),
            Object.values(calls).flatMap(({ id }) => listed.has(id) ? [id] : [])
          )
          return names
        })
        assert.deepStrictEqual(yield* seenBy(mine.viewer), [
          "own",
          "byColleague",
          "ownWithoutConnection",
          "ownThroughASecond"
        ])
        assert.deepStrictEqual(yield* seenBy({ ...mine.viewer, clientIds: [] }), ["ownWithoutConnection"])
        assert.deepStrictEqual(yield* seenBy(everybody), Object.keys(calls))

        const granted = (...connectionIds: ReadonlyArray<ConnectionId>) => ({ ...mine.viewer, connectionIds })
        assert.deepStrictEqual(yield* seenBy(granted()), ["ownWithoutConnection"])
        assert.deepStrictEqual(yield* seenBy(granted(second.connection_id, other.connection_id)), [
          "ownWithoutConnection",
          "ownThroughASecond"
        ])
        assert.deepStrictEqual(yield* seenBy({ ...granted(other.connection_id), clientIds: null }), [
          "ownWithoutConnection",
          "ownThroughAnother",
          "another"
        ])
        const ofSecond = granted(second.connection_id)
        assert.deepStrictEqual(yield* pagesOf(ofSecond, { connection_id: mine.connection_id }), [])
        assert.deepStrictEqual(yield* pagesOf(ofSecond, { key_id: mine.key_id }), [
          calls.ownThroughASecond.id,
          calls.ownWithoutConnection.id
        ])
      }))

    it.effect("pages list each call once, newest first, across partitions and while calls arrive", () =>
      Effect.gen(function*() {
        const log = yield* CallLog
        const party = yield* newParty
        const now = yield* Clock.currentTimeMillis
        const calls = yield* Effect.forEach(
          Array.from({ length: 60 }, (_, number) => number),
          (number) =>
            newCall(party, {
              // Three days, two calls a millisecond.
              id: idAt(now + (number % 3 - 1) * day + Math.floor(number / 6), number),
              provider: number % 2 === 0 ? "gsc" : "ga4",
              ...(number % 5 === 0 ? { outcome: "error", http_status: 502, error_code: "upstream_error" } : {})
            })
        )
        yield* Effect.forEach(calls, (call) => log.append(redacted(call)), { concurrency: "unbounded", discard: true })
        const newestFirst = (which: (call: CallEntry) => boolean) =>
          calls.filter(which).map(({ id }) => id).toSorted().toReversed()

        const filters: ReadonlyArray<Parameters<typeof pagesOf>[1]> = [
          {},
          { provider: "ga4" },
          { provider: "gsc", outcome: "error" },
          { provider: "nobody's" }
        ]
        for (const filter of filters) {
          const expected = newestFirst(({ outcome, provider }) =>
            provider === (filter.provider ?? provider) && outcome === (filter.outcome ?? outcome)
          )
          assert.deepStrictEqual(yield* pagesOf(party.viewer, filter), expected)
        }

        const { cursor, items } = yield* log.list(party.viewer, {}, { limit: 30 })
        yield* log.append(yield* newCall(party, { id: idAt(now + 2 * day, 0) }))
        const rest = yield* log.list(party.viewer, {}, { limit: 50, cursor: `${cursor}` })
        assert.deepStrictEqual([...items, ...rest.items].map(({ id }) => id), newestFirst(() => true))
        assert.isNull(rest.cursor)
        assert.lengthOf((yield* log.list(party.viewer, {}, {})).items, 50)
      }))

    it.effect("an unknown or malformed id finds nothing", () =>
      Effect.gen(function*() {
        const log = yield* CallLog
        const odd = [yield* newId("call"), "", "call_", "call_\ud800", `call_${"z".repeat(26)}`, "Z".repeat(100_000)]
        for (const id of odd) assert.isTrue(Option.isNone(yield* log.find(everybody, id)), id.slice(0, 40))
      }))
  })

export const loggedCalls: StorageTests = (it) =>
  describe("logged calls", () => {
    it.effect("an appended call is found unchanged by every instance", () =>
      Effect.gen(function*() {
        const party = yield* newParty
        const call = yield* newCall(party, {
          request: "{\"input\":{\"a\":\"\\u0000 \\ud800 😀\"},\"refresh_token\":\"1//secret\"}",
          response: "{\"data\":[1,null,{\"z\":1,\"a\":2}]}"
        })
        yield* (yield* CallLog).append(redacted(call))
        const there = yield* otherLog
        const { request: _, response: __, ...entry } = call
        const logged = { ...neverUndone, ...entry, created_at: new Date(idMillis(call.id)) }
        assert.deepStrictEqual((yield* there.list(party.viewer, {}, {})).items, [logged])
        const { request, response, ...found } = Option.getOrThrow(yield* there.find(party.viewer, call.id))
        assert.deepStrictEqual(found, logged)
        assert.deepStrictEqual(request?.value, { input: { a: "\0 \ud800 😀" }, refresh_token: "[redacted]" })
        assert.strictEqual(response?.text, call.response)
      }))

    it.effect("a call that cannot be stored does not fail the others", () =>
      Effect.gen(function*() {
        const log = yield* CallLog
        const party = yield* newParty
        const good = yield* Effect.replicateEffect(newCall(party), 20)
        const bad = yield* newCall(party, { http_status: 100_000 })
        const calls = [...good.slice(0, 10), bad, ...good.slice(10)]
        const exits = yield* Effect.forEach(calls, (call) => Effect.exit(log.append(redacted(call))), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(calls.filter((_, index) => Exit.isFailure(exits[index] ?? Exit.void)), [bad])
        const failure = yield* Effect.flip(log.append(redacted(bad)))
        assert.strictEqual(failure._tag, "LogUnavailable")
        assert.sameMembers(yield* pagesOf(party.viewer, {}), good.map(({ id }) => id))
      }))
  })

export const storedCalls: StorageTests = (it) =>
  describe("stored calls", () => {
    it.effect("bodies are stored encrypted, in each size, and shown as they were", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const party = yield* newParty
        for (const length of [0, 3000, 300_000]) {
          const call = yield* newRead(party, JsonText.stringify({ marker, filler: "é".repeat(length) }), {
            request: JSON.stringify({ input: marker })
          })
          yield* (yield* CallLog).append(call)
          const found = Option.getOrThrow(yield* (yield* otherLog).find(party.viewer, call.id))
          assert.deepStrictEqual([found.request?.text, found.response?.text], [call.request, call.response])
          const [row] = yield* sql<{ readonly text: string; readonly length: number }>`
            SELECT encode(bodies, 'escape') || calls::text AS text, length(bodies) FROM calls WHERE id = ${call.id}`
          assert.notInclude(row?.text, marker)
          assert.isBelow(row?.length ?? Infinity, 1000)
        }
      }))

    it.effect("a call whose encryption key is gone is listed, and says that its bodies cannot be read", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const party = yield* newParty
        const call = yield* newRead(party, report())
        yield* (yield* CallLog).append(call)
        yield* sql`
          UPDATE log_keys SET encryption_key_id = 'gone' WHERE id = (SELECT log_key_id FROM calls WHERE id = ${call.id})`
        const log = yield* otherLog
        assert.deepStrictEqual((yield* log.list(party.viewer, {}, {})).items.map(({ id }) => id), [call.id])
        const { request, response } = Option.getOrThrow(yield* log.find(party.viewer, call.id))
        for (const body of [request, response]) assert.containSubset(body?.value, { unreadable: true })

        const next = yield* newRead(party, report())
        yield* log.append(next)
        assert.strictEqual(Option.getOrThrow(yield* log.find(party.viewer, next.id)).response?.text, next.response)
        yield* sql`UPDATE log_keys SET encryption_key_id = 'k1'`
      }))

    it.effect("plain bodies of earlier versions are shown, and encrypted by a rotation, page by page", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const log = yield* CallLog
        const party = yield* newParty
        const calls = [
          yield* newRead(party, report()),
          yield* newRead(party, report(), { cached: true, request: null }),
          yield* newCall(party)
        ]
        const [first, again] = calls
        for (const call of calls) {
          yield* log.append(call)
          // The second has the data of the first.
          const isAgain = call === again
          yield* sql`
            UPDATE calls SET bodies = NULL, log_key_id = NULL, request = ${call.request},
              response = ${isAgain ? JSON.stringify({ call_id: call.id }) : call.response},
              same_data_as = ${isAgain ? first?.id : null}
            WHERE id = ${call.id}`
        }
        const shown = Effect.gen(function*() {
          const there = yield* otherLog
          const found = yield* Effect.forEach(calls, ({ id }) => there.find(party.viewer, id))
          return found.map(Option.getOrThrow).map(({ request, response }) => [request?.text ?? null, response?.text])
        })
        const asLogged = calls.map(({ request, response }) => [request, response])
        assert.deepStrictEqual(yield* shown, asLogged)

        const { reEncrypt, remaining } = yield* plainBodies.reEncryption.pipe(Effect.provide(LogBodies.layer))
        assert.deepStrictEqual([...(yield* remaining).values()], [3])
        const one = yield* reEncrypt({ limit: 2 })
        const next = yield* Schema.decodeUnknownEffect(Schema.Struct(PageRequest))({ limit: 2, cursor: one.cursor })
        const two = yield* reEncrypt(next)
        assert.deepStrictEqual([one.rotated, two], [2, { rotated: 1, failed: [], cursor: null }])
        assert.deepStrictEqual([...(yield* remaining).values()], [0])
        assert.deepStrictEqual(yield* shown, asLogged)
      }))

    it.effect("partitions exist for the week ahead, whichever instance creates them", () =>
      Effect.gen(function*() {
        const later = (yield* Clock.currentTimeMillis) + 20 * day
        yield* Effect.all([otherLog, otherLog, otherLog, otherLog], { concurrency: "unbounded" }).pipe(at(later))
        const names = yield* partitions
        for (let ahead = -1; ahead <= 7; ahead++) assert.include(names, partitionOf(later + ahead * day))

        const party = yield* newParty
        yield* (yield* CallLog).append(yield* newCall(party, { id: idAt(later + 7 * day, 0) }))
        assert.lengthOf(yield* pagesOf(party.viewer, {}).pipe(at(later + 7 * day)), 1)
      }))

    it.effect("a secret that redaction removed finds its calls, also with another instance, as long as the log has them", () =>
      Effect.gen(function*() {
        const log = yield* CallLog
        const sql = yield* SqlClient.SqlClient
        const [mine, other] = [yield* newParty, yield* newParty]
        const instances = [yield* SecretHashes, yield* fresh(SecretHashes, SecretHashes.layer)]
        const secrets = ["canary-0123456789", "canary-of-another-call"]
        const then = (yield* Clock.currentTimeMillis) - 80 * day
        yield* otherLog.pipe(at(then))
        const calls = yield* Effect.forEach([mine, mine, mine, other, mine], (party, number) =>
          Effect.gen(function*() {
            const removed = number === 2 ? [] : secrets.slice(0, number === 1 ? 2 : 1)
            const id = idAt(then, number)
            const secret_hashes = instances[number % 2]?.ofRemoved(removed) ?? null
            yield* log.append({ ...redacted(yield* newCall(party, { id })), secret_hashes })
            return id
          }))
        const found = Effect.forEach([secrets[0], secrets[1], "canary-of-no-call"], (secret) =>
          Effect.gen(function*() {
            const secret_hashes = yield* (instances[1] ?? assert.fail()).ofSearched(`${secret}`)
            const everything = yield* pagesOf(everybody, { secret_hashes }, 1)
            return {
              mine: (yield* pagesOf(mine.viewer, { secret_hashes }, 2)).map((id) => calls.indexOf(CallId.make(id))),
              everything: everything.map((id) => calls.indexOf(CallId.make(id)))
            }
          }))
        const none = { mine: [], everything: [] }
        assert.deepStrictEqual(yield* found.pipe(at(then)), [
          { mine: [4, 1, 0], everything: [4, 3, 1, 0] },
          { mine: [1], everything: [1] },
          none
        ])
        assert.deepStrictEqual(yield* found.pipe(at(then + 30 * day + 1)), [none, none, none])
        yield* otherLog.pipe(at(then + 32 * day))
        const hash = yield* (instances[0] ?? assert.fail()).ofSearched(`${secrets[0]}`)
        assert.deepStrictEqual(yield* sql`SELECT 1 FROM calls WHERE secret_hashes LIKE ${`%${hash[0]}%`}`, [])
      }))

    it.effect("calls older than the retention are hidden, then dropped with their partition", () =>
      Effect.gen(function*() {
        const log = yield* CallLog
        const party = yield* newParty
        const then = (yield* Clock.currentTimeMillis) - 40 * day
        yield* otherLog.pipe(at(then))
        const call = yield* newCall(party, { id: idAt(then, 0) })
        yield* log.append(redacted(call))

        const shown = Effect.all([
          Effect.map(log.find(party.viewer, call.id), Option.isSome),
          Effect.map(pagesOf(party.viewer, {}), (ids) => ids.length === 1)
        ])
        assert.deepStrictEqual(yield* shown.pipe(at(then + 30 * day)), [true, true])
        assert.deepStrictEqual(yield* shown.pipe(at(then + 30 * day + 1)), [false, false])

        yield* otherLog.pipe(at(then + 31 * day))
        assert.include(yield* partitions, partitionOf(then))
        yield* otherLog.pipe(at(then + 32 * day))
        assert.notInclude(yield* partitions, partitionOf(then))
        assert.include(yield* partitions, partitionOf(then + day))
      }))
  })
