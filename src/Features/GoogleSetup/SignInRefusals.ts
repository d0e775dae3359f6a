import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SignInWatcher } from "../../Connections/Connect/ConnectFlow.ts"
import { ConnectFlow } from "../../Connections/Connect/ConnectFlow.ts"
import { google } from "../../Providers/Google/IdentityProvider.ts"
import { readApplication } from "../../Providers/OAuth/OAuth.ts"
import { ownBaseUrl } from "../../Settings.ts"
import type { Project } from "./Advice.ts"
import { causeOfToken } from "./Causes.ts"
import { checkOf, explainBody, isGoogle } from "./Explain.ts"

export const projectOfSettings = Effect.gen(function*() {
  const { id: clientId } = yield* readApplication(google)
  return { clientId, redirectUri: `${yield* ownBaseUrl}/connect/callback` }
})

const causeOf = (...[, error, code]: Parameters<SignInWatcher["refused"]>): string | undefined => {
  if (code !== undefined) return causeOfToken({ error: code }, false)
  if (error._tag === "InvalidInput") return error.details?.[0]?.path[0] === "provider" ? "client_id" : undefined
  if (error._tag === "ConnectRefused") return error.reason === "scope_missing" ? "scopes_granted" : undefined
  return error._tag === "UpstreamUnreachable" && !error.wasSent ? "egress" : undefined
}

const shownBySignIns = new Set(["consent_user", "admin_policy"])

export interface SignInRefusal {
  readonly checkId: string
  /** Google's error code. */
  readonly code: string
  readonly at: Date
}

/** The errors of the last sign-ins. Only sign-ins show whom Google lets in. */
export class SignInRefusals extends Context.Service<SignInRefusals, {
  /** The last error of each check. A successful sign-in deletes them. */
  readonly refusals: Effect.Effect<ReadonlyArray<SignInRefusal>>
}>()("openaccounts/Features/GoogleSetup/SignInRefusals") {
  static readonly layer = Layer.effect(
    SignInRefusals,
    Effect.gen(function*() {
      const flow = yield* ConnectFlow
      const project: Project = yield* projectOfSettings
      const sql = yield* SqlClient.SqlClient

      const remember = Effect.fnUntraced(function*(checkId: string, code: string) {
        const at = yield* DateTime.nowAsDate
        yield* sql`
          INSERT INTO google_refusals (check_id, code, at) VALUES (${checkId}, ${code}, ${at})
          ON CONFLICT (check_id) DO UPDATE SET code = excluded.code, at = excluded.at`
      }, Effect.orDie)

      yield* flow.watch({
        granted: (provider) => isGoogle(provider) ? Effect.orDie(sql`DELETE FROM google_refusals`) : Effect.void,
        refused: Effect.fnUntraced(function*(provider, error, code) {
          if (!isGoogle(provider)) return undefined
          const id = causeOf(provider, error, code)
          if (id !== undefined && code !== undefined && shownBySignIns.has(id)) yield* remember(id, code)
          if (id !== undefined) return checkOf(id, project, { provider })
          const details = "details" in error ? error.details : undefined
          return explainBody(details, { isServiceAccount: false, project, provider })
        })
      })

      return SignInRefusals.of({
        refusals: Effect.orDie(
          sql<SignInRefusal>`SELECT check_id AS "checkId", code, at FROM google_refusals ORDER BY at DESC`
        )
      })
    })
  ).pipe(Layer.provide(ConnectFlow.layer))
}
