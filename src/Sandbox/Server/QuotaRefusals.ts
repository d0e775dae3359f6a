import { HttpServerResponse } from "effect/http"
import type { Quota } from "../../Providers/Quota.ts"

/** The error of the provider whose quota is used up. */
export const refusalOf = (provider: string, quota: Quota): HttpServerResponse.HttpServerResponse => {
  switch (provider) {
    case "sitesearch":
      return HttpServerResponse.jsonUnsafe({ ErrorCode: 5, Message: "ERROR!!! ThrottleHost" }, { status: 400 })
    case "gsc":
      return googleError(403, "Quota exceeded.", {
        errors: [{ message: "Quota exceeded.", domain: "usageLimits", reason: "quotaExceeded" }]
      })
    case "ga4":
      return googleError(429, exhausted(quota), { status: "RESOURCE_EXHAUSTED" })
    default:
      return perMinute(quota)
  }
}

const googleError = (code: number, message: string, rest: object) =>
  HttpServerResponse.jsonUnsafe({ error: { code, message, ...rest } }, { status: code })

const exhausted = ({ counts, name, scope }: Quota): string => {
  if (counts === "concurrent") return "Exhausted concurrent requests quota."
  if (counts === "server_errors") return "Exhausted server errors quota."
  if (name.includes("thresholded")) return "Exhausted potentially thresholded requests quota."
  return scope === "project_resource"
    ? "Exhausted property tokens for a project per hour."
    : `Exhausted property tokens per ${name.includes("_day") ? "day" : "hour"}.`
}

const perMinute = ({ limit, name, scope }: Quota) => {
  const [service, kind = ""] = name.split(".")
  const api = service === "gdocs" ? "docs" : "sheets"
  const host = `${api}.googleapis.com`
  const word = kind === "read" ? "Read" : "Write"
  const of = scope === "account" ? " per user" : ""
  const message =
    `Quota exceeded for quota metric '${word} requests' and limit '${word} requests per minute${of}' of ` +
    `service '${host}' for consumer 'project_number:1'.`
  return googleError(429, message, {
    status: "RESOURCE_EXHAUSTED",
    details: [{
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: "RATE_LIMIT_EXCEEDED",
      domain: "googleapis.com",
      metadata: {
        quota_location: "global",
        quota_metric: `${host}/${kind}_requests`,
        quota_limit: `${word}RequestsPerMinutePer${scope === "account" ? "User" : "Project"}`,
        quota_limit_value: `${limit}`,
        service: host
      }
    }]
  })
}
