import { Effect, Schema } from "effect"
import type { ToolCallError } from "../../src/Api/Errors.ts"
import { strict } from "../../src/Domain/Validation/Validation.ts"
import type { ProviderCalls, RawInput } from "../../src/Providers/Provider.ts"
import { callsOf } from "./CallsOf.ts"

export interface RecordedCall {
  readonly endpoint: string
  readonly input: RawInput
}

export const fakeProvider = (
  answer: (endpoint: string, input: RawInput) => unknown
): { readonly provider: ProviderCalls; readonly calls: ReadonlyArray<RecordedCall> } => {
  const calls: Array<RecordedCall> = []
  return {
    calls,
    provider: callsOf((endpoint, input, response) =>
      Effect.suspend(() => {
        Schema.decodeUnknownSync(Schema.toType(endpoint.input), strict)(input)
        calls.push({ endpoint: endpoint.id, input })
        const answered = answer(endpoint.id, input)
        const body: Effect.Effect<unknown, ToolCallError> = Effect.isEffect(answered)
          ? answered as Effect.Effect<unknown, ToolCallError>
          : Effect.succeed(answered)
        return Effect.flatMap(body, (json) => Effect.orDie(Schema.decodeUnknownEffect(response)(json)))
      })
    )
  }
}
