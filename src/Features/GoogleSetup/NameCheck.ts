import { Effect } from "effect"
import type { CallStep, PermittedCall, Run } from "../../Calls/Steps.ts"
import { explainCall } from "./Explain.ts"
import { projectOfSettings } from "./SignInAnswers.ts"

/** Adds to the error of a call which check of the set-up fails. */
export const nameCheck = Effect.map(projectOfSettings, (project): CallStep => ({
  name: "google_setup",
  of: "calls",
  at: "permitted",
  wrap: (next: Run<PermittedCall>): Run<PermittedCall> => (call) =>
    Effect.mapError(next(call), (error) => {
      const { connection, operation: { provider } } = call
      error.check ??= explainCall(error, { connection, project, provider })
      return error
    })
}))
