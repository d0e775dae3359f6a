import { Effect } from "effect"
import { InvalidInput } from "../../Api/Errors.ts"
import type { CallStep, PermittedCall } from "../../Calls/Steps.ts"
import { CurrentShare } from "../../Capacity/Capacity.ts"
import { previewData, previewOf } from "./Preview.ts"

const show = Effect.fnUntraced(function* showPreview(call: PermittedCall) {
  const { incoming, share } = call
  const found = yield* previewOf(call)
  const data = previewData(found, call)
  if (incoming.origin?.approval?.isPlan !== true) return { data, facts: {} }
  const pin = found.pin && (yield* Effect.provideService(found.pin, CurrentShare, share))
  return { data, facts: { plan: { changes: found.changes, pin } } }
})

/** Shows what a write would change, and writes nothing. */
export const previewStep: CallStep = {
  name: "preview",
  of: "writes",
  at: "permitted",
  whenAsked: true,
  takes: ["dry_run"],
  refuses: {
    at: "found",
    why: (request, operation) =>
      request.dry_run === true && !operation.writes ? new InvalidInput({ details: [nothingToPreview] }) : undefined
  },
  wrap: (next) => (call) => call.request.dry_run === true ? show(call) : next(call)
}

const nothingToPreview = { path: ["dry_run"], message: "Only a call of an operation that writes has a preview" }
