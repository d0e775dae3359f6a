import { Context, Effect, Layer } from "effect"
import type { ProviderCallError } from "../Api/Errors.ts"
import type { ErrorCheck } from "../Api/Errors/ErrorCheck.ts"
import type { StoredConnection } from "../Domain/Connection.ts"
import type { Provider } from "../Providers/Provider.ts"

/** Whose request has failed. Credentials that are not stored yet have no health. */
export interface FailedAccess {
  readonly provider: Provider
  readonly authType: StoredConnection["auth_type"]
  readonly health?: StoredConnection["health"]
}

export type ExplainFailure = (error: ProviderCallError, access: FailedAccess) => ErrorCheck | undefined

/** Names the check of the set-up in errors of requests that no call makes. A feature knows the checks. */
export class SetupChecks extends Context.Service<SetupChecks, {
  readonly explainWith: (explain: ExplainFailure) => Effect.Effect<void>
  readonly named: (
    access: FailedAccess
  ) => <A, R>(request: Effect.Effect<A, ProviderCallError, R>) => Effect.Effect<A, ProviderCallError, R>
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
