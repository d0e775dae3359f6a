import { Effect, Redacted, Result } from "effect"
import { InvalidInput } from "../Api/Errors.ts"
import { type Credentials, parseNewCredentials } from "../Connections/Credentials.ts"
import type { AuthType, NewCredentials } from "../Domain/Connection.ts"
import type { Issue } from "../Domain/Validation/Issue.ts"
import { authTypesOf, type Provider } from "../Providers/Provider.ts"

export interface NewCredentialsOf {
  readonly provider: Provider
  readonly credentials: { readonly parsed: Credentials; readonly text: Redacted.Redacted }
  readonly scopes: ReadonlyArray<string>
  readonly test?: boolean | undefined
}

export const checkAuthType = (
  provider: Provider,
  authType: AuthType,
  field: string
): Result.Result<void, ReadonlyArray<Issue>> =>
  provider.authentication[authType] !== undefined
    ? Result.void
    : Result.fail([{
      path: [field],
      message: `Provider "${provider.id}" takes ${authTypesOf(provider).join(" or ")}, not ${authType}`
    }])

export const checkCredentials = (provider: Provider, authType: AuthType, json: unknown) =>
  Result.flatMap(checkAuthType(provider, authType, "auth_type"), () => parseNewCredentials(authType, json))

export const validateCredentials = (provider: Provider, authType: AuthType, json: unknown) =>
  Effect.map(InvalidInput.fromResult(checkCredentials(provider, authType, json)), (parsed) => ({
    parsed,
    text: Redacted.make(JSON.stringify(json))
  }))

/** The account that is named, else the address of a service account. Other credentials do not name their account. */
export const accountOf = (
  { credentials: { client_email }, external_account }: Pick<NewCredentials, "credentials" | "external_account">
): string | null => external_account ?? (typeof client_email === "string" ? client_email.trim() : null)
