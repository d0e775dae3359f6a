import { Option, Schema } from "effect"
import type { Provider } from "../Provider.ts"

const ErrorBody = Schema.Struct({
  error: Schema.Struct({
    status: Schema.optionalKey(Schema.Unknown),
    errors: Schema.optionalKey(Schema.Array(Schema.Struct({ reason: Schema.optionalKey(Schema.Unknown) }))),
    details: Schema.optionalKey(Schema.Array(Schema.Struct({ reason: Schema.optionalKey(Schema.Unknown) })))
  })
})
const decodeErrorBody = Schema.decodeUnknownOption(ErrorBody)

const quotaReason = /(?:limit|quota)_?exceeded/i

const scopeReasons = new Set<unknown>(["ACCESS_TOKEN_SCOPE_INSUFFICIENT", "insufficientPermissions"])

export const classifyGoogle: Provider["classify"] = ({ authType, body, status }) => {
  if (status >= 200 && status < 300) return "ok"
  if (status === 401) return "unauthorized"
  if (status !== 403) return "error"
  const error = Option.getOrUndefined(decodeErrorBody(body()))?.error
  if (error === undefined) return "error"
  const reasons = [...error.errors ?? [], ...error.details ?? []].flatMap(({ reason }) => reason ?? [])
  if (reasons.some((reason) => scopeReasons.has(reason))) return "rejected"
  const denied = error.status === "PERMISSION_DENIED" || reasons.includes("forbidden")
  const overQuota = reasons.some((reason) => typeof reason === "string" && quotaReason.test(reason))
  if (authType !== "service_account" || !denied || overQuota) return "error"
  // Another reason is about the project, such as an API that is not enabled.
  return reasons.every((reason) => reason === "forbidden") ? "not_shared" : "rejected"
}

const decodeMessage = Schema.decodeUnknownOption(
  Schema.Struct({ error: Schema.Struct({ message: Schema.String }) })
)

export const googleErrorMessage: Provider["errorMessage"] = (body) =>
  Option.getOrUndefined(decodeMessage(body))?.error.message

const fewScopes = /^(?:Request had insufficient authentication scopes|Insufficient Permission)/

/** A hint for spreadsheets and documents, whose read-only scopes do not allow writes. */
export const writeScopeHint = (message: string): string | undefined =>
  fewScopes.test(message)
    ? "The account did not allow this. To write, connect it again with a link that has `access: \"read_write\"`"
    : undefined
