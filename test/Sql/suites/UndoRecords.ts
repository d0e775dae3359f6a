import { assert, describe } from "@effect/vitest"
import { Effect, Option } from "effect"
import { CallLog } from "../../../src/Calls/Log/CallLog.ts"
import { UndoRecords, UndoRoom } from "../../../src/Features/Undo/UndoRecords.ts"
import { newCall, newParty, redacted } from "../NewCall.ts"
import { fresh } from "../OtherInstance.ts"
import type { StorageTests } from "../StorageFixture.ts"

const instance = Effect.provideService(fresh(UndoRecords, UndoRecords.layer), UndoRoom, 10_000)

export const undoRecords: StorageTests = (it) =>
  describe("records for undo", () => {
    it.effect("of a member make room, the oldest first, and their calls can no longer be undone", () =>
      Effect.gen(function*() {
        const records = yield* instance
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
