import { Predicate } from "effect"
import type { CallError } from "../../Api/Errors.ts"
import type { ErrorCheck } from "../../Api/Errors/ErrorCheck.ts"
import type { FailedAccess } from "../../Connections/SetupChecks.ts"
import { google } from "../../Providers/Google/IdentityProvider.ts"
import type { Provider } from "../../Providers/Provider.ts"
import { adviceFor, type Project, type Subject } from "./Advice.ts"
import { causeOfApi, causeOfToken } from "./Causes.ts"

export const isGoogle = ({ identity }: Provider): boolean => identity?.id === google.id

export const checkOf = (id: string, project: Project, subject: Subject): ErrorCheck => ({
  id,
  ...adviceFor(id, project, subject)
})

const isTokenError = (details: unknown): boolean =>
  Predicate.hasProperty(details, "error") && typeof details.error === "string"

/** Explains the body of a response of Google. */
export const explainBody = (
  details: unknown,
  { isServiceAccount, project, provider }: {
    readonly isServiceAccount: boolean
    readonly project: Project
    readonly provider: Provider
  }
): ErrorCheck | undefined => {
  const cause = isTokenError(details)
    ? { id: causeOfToken(details, isServiceAccount) }
    : causeOfApi(details, provider) ?? { id: undefined }
  return cause.id === undefined ? undefined : checkOf(cause.id, project, { ...cause, provider })
}

/** The mistake in the set-up that made a request fail, if it is one. */
export const explainFailure = (
  error: CallError,
  { connection, provider }: FailedAccess,
  project: Project
): ErrorCheck | undefined => {
  if (!isGoogle(provider)) return undefined
  const isServiceAccount = connection.auth_type === "service_account"
  const check = (id: string, subject: Subject = {}) => checkOf(id, project, { provider, ...subject })
  switch (error._tag) {
    case "UpstreamUnreachable":
      return error.wasSent ? undefined : check("egress", { host: error.message.split(" ")[0] })
    case "CredentialsExpired":
      return explainBody(error.refusal, { isServiceAccount, project, provider }) ??
        (connection.health?.reasons.some(({ code }) => code === "testing_mode") ? check("consent_testing") : undefined)
    case "CredentialsRejected":
      if (error.notShared) return check("resource_shared")
      // The error came before any request was sent.
      if (error.details === undefined) return check(isServiceAccount ? "service_account_key" : "client_id")
      return explainBody(error.details, { isServiceAccount, project, provider })
    case "UpstreamError":
      return explainBody(error.details, { isServiceAccount, project, provider })
    default:
      return undefined
  }
}
