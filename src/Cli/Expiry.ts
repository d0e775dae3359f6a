import { Clock, Duration, Effect, Option, Result, Schema } from "effect"
import { Flag } from "effect/cli"
import { DurationText } from "../Domain/Validation/DurationText.ts"
import { Instant } from "../Domain/Validation/Fields.ts"
import { usageError } from "./Failure.ts"

/** When something expires: after a duration, or at a time. */
export const expiresFlag = (description: string) =>
  Flag.String("expires").pipe(
    Flag.withAlias("expires-in"),
    Flag.withMetavar("<duration or time>"),
    Flag.withDescription(`${description}: \`90 days\`, 2030-01-31 or 2030-01-31T09:00:00Z`),
    Flag.optional
  )

const decodeDuration = Schema.decodeUnknownResult(DurationText)
const decodeInstant = Schema.decodeUnknownResult(Instant)

export const readExpiry = Effect.fnUntraced(function*(expires: Option.Option<string>) {
  if (Option.isNone(expires)) return undefined
  const now = yield* Clock.currentTimeMillis
  const duration = decodeDuration(expires.value)
  if (Result.isSuccess(duration)) return new Date(now + Duration.toMillis(duration.success))
  const instant = decodeInstant(expires.value)
  return Result.isSuccess(instant)
    ? instant.success
    : yield* usageError("--expires: expected a duration such as `90 days`, or a date such as 2030-01-31")
})

/** Until `expires`, in whole seconds. */
export const secondsUntil = Effect.fnUntraced(function*(expires: Date) {
  return Math.ceil((expires.getTime() - (yield* Clock.currentTimeMillis)) / 1000)
})
