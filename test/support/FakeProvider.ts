import { Effect, Option, Schema } from "effect"
import type { ToolCallError } from "../../src/Api/Errors.ts"
import { JsonText } from "../../src/Domain/Json/JsonText.ts"
import { strict } from "../../src/Domain/Validation/Validation.ts"
import type { ProviderCalls, RawEndpoint, RawInput } from "../../src/Providers/Provider.ts"

export interface RecordedCall {
  readonly endpoint: string
  readonly input: RawInput
}

const checks = new WeakMap<RawEndpoint, (input: unknown) => unknown>()

/** Inputs must be as the service has read them. */
const check = (endpoint: RawEndpoint, input: RawInput) => {
  const known = checks.get(endpoint) ?? Schema.decodeUnknownSync(Schema.toType(endpoint.input), strict)
  checks.set(endpoint, known)
  known(input)
}

/** A body that cannot be decoded is a defect. */
const callsOf = (call: ProviderCalls["call"]): ProviderCalls => ({
  call,
  callWith: (endpoint, input, decode) =>
    Effect.flatMap(call(endpoint, input, Schema.Unknown), (json) =>
      Effect.flatMap(
        decode(JsonText.stringify(json)),
        Option.match({ onSome: Effect.succeed, onNone: () => Effect.die(`An unexpected body of ${endpoint.id}`) })
      ))
})

/** `answer` gives the body of a response, or an effect of it. */
export const fakeProvider = (
  answer: (endpoint: string, input: RawInput) => unknown
): { readonly provider: ProviderCalls; readonly calls: ReadonlyArray<RecordedCall> } => {
  const calls: Array<RecordedCall> = []
  return {
    calls,
    provider: callsOf((endpoint, input, response) =>
      Effect.suspend(() => {
        check(endpoint, input)
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
