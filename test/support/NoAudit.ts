import { Effect, Layer } from "effect"
import { Audit } from "../../src/Audit/Audit.ts"

export const NoAudit = Layer.succeed(Audit, {
  change: (change) => change,
  refusal: () => Effect.void,
  list: () => Effect.succeed({ items: [], cursor: null })
})
