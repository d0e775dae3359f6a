import { Context, Effect, Layer } from "effect"
import type { CallError } from "../Api/Errors.ts"
import type { ErrorCheck } from "../Api/Errors/ErrorCheck.ts"
import type { StoredConnection } from "../Domain/Connection.ts"
import type { Provider } from "../Providers/Provider.ts"

/** The access of a failed request. Credentials have no health before they are stored. */
export interface FailedAccess {
  readonly provider: Provider
  readonly connection: Pick<StoredConnection, "auth_type"> & Partial<Pick<StoredConnection, "health">>
}

export type ExplainFailure = (error: CallError, access: FailedAccess) => ErrorCheck | undefined

/** Adds to errors which check of the set-up fails. A feature knows the checks. */
export class SetupChecks extends Context.Service<SetupChecks, {
  readonly explainWith: (explain: ExplainFailure) => Effect.Effect<void>
  readonly named: <E extends CallError>(error: E, access: FailedAccess) => E
}>()("openaccounts/Connections/SetupChecks") {
  static readonly layer = Layer.sync(SetupChecks, () => {
    const explanations: Array<ExplainFailure> = []
    return SetupChecks.of({
      explainWith: (explain) => Effect.sync(() => void explanations.push(explain)),
      named: (error, access) => {
        error.check ??= explanations.flatMap((explain) => explain(error, access) ?? [])[0]
        return error
      }
    })
  })
}
