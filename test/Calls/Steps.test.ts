import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Option, Scope } from "effect"
import type { CallRequest } from "../../src/Api/Calls/CallApi.ts"
import { StoredResponse } from "../../src/Calls/CallResult.ts"
import { Calls } from "../../src/Calls/Calls.ts"
import { CallLog } from "../../src/Calls/Log/CallLog.ts"
import { MeteredCalls } from "../../src/Calls/MeteredCalls.ts"
import type { Origin } from "../../src/Calls/Request/IncomingCall.ts"
import { CallSteps, plainSteps, stepsOf } from "../../src/Calls/Steps.ts"
import { providerLayer } from "../../src/Core.ts"
import { CallId } from "../../src/Domain/Ids.ts"
import { newId } from "../../src/Domain/NewId.ts"
import { features } from "../../src/Features/Features.ts"
import { callSteps, sendSteps } from "../../src/Features/Steps.ts"
import { ProviderClient } from "../../src/Providers/ProviderClient.ts"
import { SendSteps } from "../../src/Providers/Sending/SendSteps.ts"
import { liveOrigins, providers } from "../../src/Registrations.ts"
import { KnownKeys } from "../Sql/KnownKeys.ts"
import { connect } from "../Sql/NewConnection.ts"
import { Embedded } from "../Sql/StorageFixture.ts"

let requests = 0
const Provider = ProviderClient.layerTest(() => Effect.sync(() => ({ number: ++requests })))

const CallsWithoutSteps = MeteredCalls.pipe(
  Layer.provide([Layer.succeed(CallSteps, []), Layer.succeed(SendSteps, [])]),
  Layer.provide(Provider),
  Layer.provide(providerLayer(providers)),
  Layer.provide(liveOrigins()),
  Layer.provideMerge(Embedded)
)

const call = Effect.fnUntraced(function*(request: CallRequest, idempotencyKey?: string, origin: Origin = {}) {
  const id = CallId.make(yield* newId("call"))
  const { readWrite } = yield* KnownKeys
  const text = JSON.stringify(request)
  const { response } = yield* (yield* Calls).call({
    id,
    credential: { type: "bearer", token: readWrite.key },
    headers: { idempotencyKey },
    body: () => Effect.succeed({ text, json: Exit.succeed(request) }),
    sent: () => Scope.makeUnsafe(),
    origin
  })
  if (response instanceof StoredResponse) return assert.fail("no step has stored it")
  const logged = yield* (yield* CallLog).find(readWrite.principal, id)
  return { data: response.data.value, logged: Option.getOrThrow(logged) }
})

const connected = (provider: string) =>
  Effect.gen(function*() {
    const { readWrite: { principal } } = yield* KnownKeys
    const connection = yield* connect({ provider, clientId: principal.clientIds?.[0] ?? null })
    return { provider, connection_id: connection.id }
  })

layer(CallsWithoutSteps)("Calls without the steps of features", (it) => {
  it.effect("reads and writes, and logs both", () =>
    Effect.gen(function*() {
      const read = yield* call({ ...yield* connected("gsc"), endpoint: "sites.list" })
      assert.deepStrictEqual([read.data, read.logged.outcome], [{ number: 1 }, "ok"])
      const clear = {
        ...yield* connected("gsheets"),
        endpoint: "values.clear",
        input: { path: { spreadsheetId: "1AbC", range: "A1" } }
      }
      const write = yield* call(clear, "once")
      const again = yield* call(clear, "once")
      assert.deepStrictEqual([write.data, again.data], [{ number: 2 }, { number: 3 }])
      assert.strictEqual(write.logged.undoable_until, null)
    }))

  it.effect("refuse the fields and the undo that only a step serves", () =>
    Effect.gen(function*() {
      const request = { provider: "gsc", endpoint: "sites.list" }
      const refused = { ...request, dry_run: false, select: "siteEntry", format: "csv", keep: true } as const
      const error = yield* Effect.flip(call(refused))
      const paths = error._tag === "InvalidInput" ? error.details?.map(({ path }) => path) : error
      assert.deepStrictEqual(paths, [["dry_run"], ["select"], ["format"], ["keep"]])
      const undo = { callId: "call_x", isPreview: false }
      const undone = yield* Effect.flip(call(request, undefined, { undo }))
      assert.deepStrictEqual([undone.code, undone.details], ["undo_unavailable", { reason: "not_kept" }])
    }))
})

const text = (steps: ReadonlyArray<{ readonly name: string }>) => steps.map(({ name }) => name).join(" > ")

const AllSteps = Layer.merge(callSteps(features), sendSteps(features)).pipe(
  Layer.provide(Provider),
  Layer.provide(providerLayer(providers)),
  Layer.provide(liveOrigins()),
  Layer.provideMerge(Embedded)
)

layer(AllSteps)("The steps of features", (it) => {
  it.effect("have the order of the checks", () =>
    Effect.gen(function*() {
      const steps = yield* CallSteps
      const sends = yield* SendSteps
      const at = (place: string) => text(stepsOf(steps, "writes").filter((step) => step.at === place))
      assert.strictEqual(text(stepsOf(steps, "reads")), "results > bulk_calls")
      assert.strictEqual(
        `${at("prepared")} > connection > ${at("permitted")}`,
        "undo > idempotency > connection > preview > approvals"
      )
      assert.strictEqual(text(stepsOf(plainSteps(steps), "reads")), "")
      assert.strictEqual(text(stepsOf(plainSteps(steps), "writes")), "approvals > undo")
      assert.strictEqual(text(sends), "approvals > undo > quotas > idempotency")
      assert.strictEqual(text(sends.filter(({ of }) => of === "calls")), "quotas")
    }))
})
