import { Redacted } from "effect"
import { hash } from "node:crypto"
import type { OAuth } from "../../Providers/OAuth/OAuth.ts"
import type { Provider } from "../../Providers/Provider.ts"
import type { QuotaAccount } from "../../Providers/Quota.ts"
import { type Credentials, refreshTokenHash } from "../Credentials.ts"

/**
 * Uses only what the provider has confirmed: the account of the sign-in, the address of the service account, or else the
 * credential itself. A label could name the account of others. `signedInAs` is `null` without a sign-in.
 */
export const quotaAccountOf = (
  oauth: OAuth["Service"],
  { identity }: Provider,
  credentials: Credentials,
  signedInAs: string | null
): QuotaAccount => {
  switch (credentials.type) {
    case "api_key":
      return { project: undefined, account: hash("sha256", Redacted.value(credentials.apiKey), "base64url") }
    case "service_account": {
      const account = credentials.key.client_email.toLowerCase()
      return { project: projectOf(account), account }
    }
    case "oauth": {
      const application = identity === undefined ? undefined : oauth.applicationId(identity)
      return {
        // A client of Google is named after the number of its project.
        project: /^\d+(?=-)/.exec(application ?? "")?.[0] ?? application,
        account: signedInAs?.toLowerCase() ?? refreshTokenHash(credentials.oauth.refresh_token).toString("base64url")
      }
    }
  }
}

/** Not `project_id`: Google does not look at it, so it could name the project of others. */
const projectOf = (address: string): string =>
  /@(.+)\.iam\.gserviceaccount\.com$/.exec(address)?.[1] ??
    /^(.+)@appspot\.gserviceaccount\.com$/.exec(address)?.[1] ??
    /^(\d+)-compute@developer\.gserviceaccount\.com$/.exec(address)?.[1] ??
    address
