import { Context, Effect, Layer } from "effect"
import type { CallError, ProviderCallError } from "../Api/Errors.ts"
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
  readonly name: (error: CallError, access: FailedAccess) => void
  readonly named: (
    access: FailedAccess
  ) => <A, R>(request: Effect.Effect<A, ProviderCallError, R>) => Effect.Effect<A, ProviderCallError, R>
}>()("openaccounts/Connections/SetupChecks") {
  static readonly layer = Layer.sync(SetupChecks, () => {
    const explanations: Array<ExplainFailure> = []
    const name = (error: CallError, access: FailedAccess) => {
      error.check ??= explanations.flatMap((explain) => explain(error, access) ?? [])[0]
    }
    return SetupChecks.of({
      explainWith: (explain) => Effect.sync(() => void explanations.push(explain)),
      name,
      named: (access) => Effect.tapError((error) => Effect.sync(() => name(error, access)))
    })
  })
}
