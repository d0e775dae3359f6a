import { Context, Effect, Layer } from "effect"
import type { SignInWatcher } from "../../Connections/Connect/ConnectFlow.ts"
import { ConnectFlow } from "../../Connections/Connect/ConnectFlow.ts"
import { google } from "../../Providers/Google/IdentityProvider.ts"
import { readApplication } from "../../Providers/OAuth/OAuth.ts"
import { ownBaseUrl } from "../../Settings.ts"
import type { Project } from "./Advice.ts"
import { causeOfToken } from "./Answers.ts"
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

/** What the last sign-in at this instance came back with: no other question shows who may sign in. */
export class SignInAnswers extends Context.Service<SignInAnswers, {
  /** The code of the identity provider by the check that it fails. A sign-in that works forgets them. */
  readonly refusals: ReadonlyMap<string, string>
}>()("openaccounts/Features/GoogleSetup/SignInAnswers") {
  static readonly layer = Layer.effect(
    SignInAnswers,
    Effect.gen(function*() {
      const flow = yield* ConnectFlow
      const project: Project = yield* projectOfSettings
      const refusals = new Map<string, string>()

      yield* flow.watch({
        granted: (provider) => {
          if (isGoogle(provider)) refusals.clear()
        },
        refused: (provider, error, code) => {
          if (!isGoogle(provider)) return undefined
          const id = causeOf(provider, error, code)
          if (id !== undefined && code !== undefined && shownBySignIns.has(id)) refusals.set(id, code)
          if (id !== undefined) return checkOf(id, project, { provider })
          const details = "details" in error ? error.details : undefined
          return explainBody(details, { isServiceAccount: false, project, provider })
        }
      })
      return SignInAnswers.of({ refusals })
    })
  ).pipe(Layer.provide(ConnectFlow.layer))
}
