import { Effect, Option, Schema } from "effect"
import { JsonText } from "../../src/Domain/Json/JsonText.ts"
import type { ProviderCalls } from "../../src/Providers/Provider.ts"

/** A body that cannot be decoded is a defect. */
export const callsOf = (call: ProviderCalls["call"]): ProviderCalls => ({
  call,
  callWith: (endpoint, input, decode) =>
    Effect.flatMap(call(endpoint, input, Schema.Unknown), (json) =>
      Effect.flatMap(
        decode(JsonText.stringify(json)),
        Option.match({ onSome: Effect.succeed, onNone: () => Effect.die(`An unexpected body of ${endpoint.id}`) })
      ))
})
