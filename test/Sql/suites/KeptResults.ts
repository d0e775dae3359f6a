import { assert, describe } from "@effect/vitest"
import { Effect, Option } from "effect"
import { CallLog } from "../../../src/Calls/Log/CallLog.ts"
import { typed } from "../../../src/Domain/Table/Table.ts"
import { KeptResults } from "../../../src/Features/Results/Kept/KeptResults.ts"
import { toKept } from "../../../src/Features/Results/Kept/KeptTable.ts"
import type { StoredChunks } from "../../../src/Features/Results/Kept/StoredResult.ts"
import { UndoRecords, UndoRoom } from "../../../src/Features/Undo/UndoRecords.ts"
import { newCall, newParty, redacted } from "../NewCall.ts"
import { fresh } from "../OtherInstance.ts"
import type { StorageTests } from "../StorageFixture.ts"

const instance = fresh(KeptResults, KeptResults.layer)

const rowsIn = ({ chunks }: StoredChunks) => chunks.flatMap(({ json }) => JSON.parse(new TextDecoder().decode(json)))

export const keptResults: StorageTests = (it) =>
  describe("a kept result", () => {
    it.effect("is read and deleted on another instance than the one that kept it", () =>
      Effect.gen(function*() {
        const [one, other] = [yield* instance, yield* instance]
        const { connection_id, key_id, member_id } = yield* newParty
        const rows = Array.from({ length: 30_000 }, (_, index) => [`query ${index}`, index])
        const origin = { holder: key_id, provider: "gsc", names: [], urls: [], bounds: "", part: { has_more: true } }
        const { id } = yield* one.keep(
          { ...origin, memberId: member_id, connectionId: connection_id },
          toKept(typed(["query", "clicks"], rows))
        )
        const found = yield* other.find(key_id, id)
        assert.deepStrictEqual(found.part, { has_more: true })
        assert.deepStrictEqual((yield* other.columns(found)).map(({ name }) => name), ["query", "clicks"])
        const all = { offset: 0, limit: found.rows }
        const read = yield* other.chunks(found, all)
        assert.deepStrictEqual([rowsIn(read), read.isComplete], [rows, true])
        const part = yield* other.chunks(found, { ...all, bytes: 1 })
        assert.deepStrictEqual([part.chunks.length, part.isComplete], [2, false])
        yield* other.remove(id)
        assert.strictEqual((yield* Effect.flip(one.find(key_id, id)))._tag, "ResultNotFound")
      }))
  })

const smallRoom = Effect.provideService(fresh(UndoRecords, UndoRecords.layer), UndoRoom, 10_000)

export const undoRecords: StorageTests = (it) =>
  describe("records for undo", () => {
    it.effect("of a member make room, the oldest first, and their calls can no longer be undone", () =>
      Effect.gen(function*() {
        const records = yield* smallRoom
        const log = yield* CallLog
        const party = yield* newParty
        const content = {
          provider: "gsheets",
          target: "raw:values.update",
          resource: null,
          connectionId: party.connection_id
        }
        const write = Effect.fnUntraced(function*(length: number) {
          const call = yield* newCall(party)
          const undoable_until = yield* records.keep(call.id, party.principal, {
            ...content,
            kept: ["x".repeat(length)]
          })
          yield* log.append(redacted({ ...call, undoable_until }))
          return { id: call.id, undoable_until }
        })
        const [one, two, three] = [yield* write(4000), yield* write(4000), yield* write(4000)]
        const undoable = ({ id }: { readonly id: string }) =>
          Effect.gen(function*() {
            const logged = yield* log.find(party.viewer, id)
            const isLogged = Option.isSome(logged) && logged.value.undoable_until !== null
            assert.strictEqual(Option.isSome(yield* records.find(id)), isLogged)
            return isLogged
          })
        assert.deepStrictEqual(yield* Effect.forEach([one, two, three], undoable), [false, true, true])
        assert.isNull((yield* write(20_000)).undoable_until)
      }).pipe(Effect.orDie, Effect.scoped))
  })
