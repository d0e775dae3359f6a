import { Context, Effect, Layer } from "effect"
import type { CallError } from "../Api/Errors.ts"
import type { ErrorCheck } from "../Api/Errors/ErrorCheck.ts"
import type { StoredConnection } from "../Domain/Connection.ts"
import type { Provider } from "../Providers/Provider.ts"

/** The credentials of a failed request. They have no health before they are stored. */
export interface FailedAccess {
  readonly provider: Provider
  readonly authType: StoredConnection["auth_type"]
  readonly health?: StoredConnection["health"]
}

export type ExplainFailure = (error: CallError, access: FailedAccess) => ErrorCheck | undefined

/** Names in errors the check of the set-up that fails. A feature knows the checks. */
export class SetupChecks extends Context.Service<SetupChecks, {
  readonly explainWith: (explain: ExplainFailure) => Effect.Effect<void>
  readonly named: (
    access: FailedAccess
  ) => <A, E extends CallError, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}>()("openaccounts/Connections/SetupChecks") {
  static readonly layer = Layer.sync(SetupChecks, () => {
    const explanations: Array<ExplainFailure> = []
    return SetupChecks.of({
      explainWith: (explain) => Effect.sync(() => void explanations.push(explain)),
      named: (access) =>
        Effect.mapError((error) => {
          error.check ??= explanations.flatMap((explain) => explain(error, access) ?? [])[0]
          return error
        })
    })
  })
}
