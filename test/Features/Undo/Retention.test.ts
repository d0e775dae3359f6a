import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer, Option } from "effect"
import { CallLog } from "../../../src/Calls/Log/CallLog.ts"
import { CallId } from "../../../src/Domain/Ids.ts"
import { newId } from "../../../src/Domain/NewId.ts"
import { makeUndo } from "../../../src/Features/Undo/Undo.ts"
import { UndoRecords } from "../../../src/Features/Undo/UndoRecords.ts"
import { Catalog } from "../../../src/Providers/Catalog/Catalog.ts"
import { newParty } from "../../Sql/NewCall.ts"
import { neverUndone } from "../../support/NeverUndone.ts"
import { plainCall } from "../../support/PlainCall.ts"

const hour = 3_600_000

/** The reason why a call without a record, logged `hours` ago, cannot be undone. */
const reasonAfter = Effect.fnUntraced(function*(hours: number) {
  const { principal } = yield* newParty
  const id = CallId.make(yield* newId("call"))
  const created_at = new Date((yield* Clock.currentTimeMillis) - hours * hour)
  const log = Layer.mock(CallLog)({ find: () => Effect.succeed(Option.some({ ...loggedCall, id, created_at })) })
  const records = Layer.mock(UndoRecords)({ find: () => Effect.succeed(Option.none()) })
  const prepare = yield* Effect.provide(makeUndo, [log, records, Catalog.layer([])])
  const error = yield* Effect.flip(prepare(principal, id, id))
  return error._tag === "UndoUnavailable" ? error.details?.reason : error
})

const loggedCall = { ...plainCall, ...neverUndone, request: null, response: null }

it.effect("a call can be undone for 72 hours", () =>
  Effect.gen(function*() {
    assert.deepStrictEqual([yield* reasonAfter(71), yield* reasonAfter(73)], ["not_kept", "expired"])
  }))
