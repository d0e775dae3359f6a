import { Effect, type Schema } from "effect"
import { InvalidInput } from "../../Api/Errors.ts"
import { withoutBlanks } from "../../Domain/Validation/Blanks.ts"
import { validator } from "../../Domain/Validation/Validation.ts"

/** `null` and `""` are absent fields. */
export const decodeArguments = <A>(schema: Schema.Codec<A, unknown>) => {
  const validate = validator(schema)
  const clean = withoutBlanks(schema.ast)
  return (args: unknown): Effect.Effect<A, InvalidInput> =>
    Effect.mapError(Effect.fromResult(validate(clean(args))), (details) => InvalidInput.ofCall(details))
}
