import { Effect, Layer } from "effect"
import { SetupChecks } from "../../Connections/SetupChecks.ts"
import { explainFailure } from "./Explain.ts"
import { projectOfSettings } from "./SignInRefusals.ts"

/** Adds to the error of a request which check of the set-up fails. */
export const nameCheck = Layer.effectDiscard(Effect.gen(function*() {
  const { explainWith } = yield* SetupChecks
  const project = yield* projectOfSettings
  yield* explainWith((error, access) => explainFailure(error, access, project))
})).pipe(Layer.provide(SetupChecks.layer))
