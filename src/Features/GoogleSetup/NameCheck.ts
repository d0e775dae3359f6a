import { Effect, Layer } from "effect"
import type { CallStep, PermittedCall, Run } from "../../Calls/Steps.ts"
import { SetupChecks } from "../../Connections/SetupChecks.ts"
import { explainFailure } from "./Explain.ts"
import { projectOfSettings } from "./SignInAnswers.ts"

/** Adds to the error of a call which check of the set-up fails. */
export const nameCheck = Effect.map(projectOfSettings, (project): CallStep => ({
  name: "google_setup",
  of: "calls",
  at: "permitted",
  wrap: (next: Run<PermittedCall>): Run<PermittedCall> => (call) =>
    Effect.mapError(next(call), (error) => {
      const { connection: { auth_type: authType, health }, operation: { provider } } = call
      error.check ??= explainFailure(error, { authType, health, provider }, project)
      return error
    })
}))

/** Adds it to the errors of connection tests and lists of resources. */
export const nameCheckBesideCalls = Layer.effectDiscard(Effect.gen(function*() {
  const { explainWith } = yield* SetupChecks
  const project = yield* projectOfSettings
  yield* explainWith((error, access) => explainFailure(error, access, project))
})).pipe(Layer.provide(SetupChecks.layer))
