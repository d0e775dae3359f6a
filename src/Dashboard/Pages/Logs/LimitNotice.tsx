import { Option, Schema } from "effect"
import type { LoggedCallDetail } from "../../../Api/Calls/LogsApi.ts"
import { Time } from "../../Parts/Time.tsx"

const Refused = Schema.Struct({
  error: Schema.Struct({
    details: Schema.Struct({
      limited_by: Schema.String,
      retry_after_seconds: Schema.optionalKey(Schema.Finite),
      quota: Schema.optionalKey(Schema.String),
      limit: Schema.optionalKey(Schema.Finite),
      resets_at: Schema.optionalKey(Schema.String)
    })
  })
})

const decode = Schema.decodeUnknownOption(Refused)

const reasons: Readonly<Record<string, string>> = {
  provider_quota: "The provider's quota was used up, so nothing was sent.",
  budget: "The budget of the day was used up. It begins again at midnight UTC.",
  key: "The key made more requests than it may in this time.",
  grant: "The agent made more requests than it may in this time.",
  session: "This browser made more requests than it may in this time.",
  member_share: "The member had too many calls at once, and others were waiting.",
  capacity: "The service had too many calls at once.",
  sign_in: "There were too many attempts to sign in."
}

/** Why a call got 429. */
export const LimitNotice = ({ call: { created_at, error_code, response } }: { readonly call: LoggedCallDetail }) => {
  if (error_code !== "rate_limited") return null
  const found = Option.getOrUndefined(decode(response))?.error.details
  if (found === undefined) return null
  const { limit, limited_by, quota, resets_at, retry_after_seconds } = found
  const free = resets_at !== undefined
    ? new Date(resets_at)
    : retry_after_seconds === undefined
    ? undefined
    : new Date(created_at.getTime() + retry_after_seconds * 1000)
  return (
    <p className="notice attention">
      <strong>{reasons[limited_by] ?? `It was refused by the limit ${limited_by}.`}</strong>
      {quota !== undefined && (
        <span>
          <code>{quota}</code>
          {limit !== undefined && `, at most ${limit.toLocaleString()}`}
        </span>
      )}
      {free && (
        <span>
          {free.getTime() > Date.now() ? "Free again" : "It has been free again since"} <Time at={free} />
        </span>
      )}
    </p>
  )
}
