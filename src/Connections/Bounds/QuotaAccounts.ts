import { Predicate, Redacted } from "effect"
import { hash } from "node:crypto"
import type { OAuth } from "../../Providers/OAuth/OAuth.ts"
import type { Provider } from "../../Providers/Provider.ts"
import type { QuotaAccount } from "../../Providers/Quota.ts"
import type { Credentials } from "../Credentials.ts"

/** `owner` is the account of an OAuth connection, or its id. */
export const quotaAccountOf = (
  oauth: OAuth["Service"],
  { identity }: Provider,
  credentials: Credentials,
  owner: string
): QuotaAccount => {
  switch (credentials.type) {
    case "api_key":
      return { project: undefined, account: hash("sha256", Redacted.value(credentials.apiKey), "base64url") }
    case "service_account": {
      const { client_email, project_id } = credentials.key
      return {
        project: Predicate.isString(project_id) ? project_id : /@(.+)\.iam\./.exec(client_email)?.[1] ?? client_email,
        account: client_email.toLowerCase()
      }
    }
    case "oauth": {
      const application = identity === undefined ? undefined : oauth.applicationId(identity)
      // A client of Google is named after the number of its project.
      return { project: /^\d+(?=-)/.exec(application ?? "")?.[0] ?? application, account: owner.toLowerCase() }
    }
  }
}
