import { Clock, Duration, Effect, Option, Result, Schema } from "effect"
import { Flag } from "effect/cli"
import { DurationText } from "../Domain/Validation/DurationText.ts"
import { Instant } from "../Domain/Validation/Fields.ts"
import { usageError } from "./Failure.ts"

export const requiredFlag = (name: string, description: string, metavar?: string) => {
  const flag = Flag.String(name).pipe(Flag.withDescription(description))
  return metavar === undefined ? flag : Flag.withMetavar(flag, metavar)
}

export const optionalFlag = (name: string, description: string, metavar?: string) =>
  Flag.optional(requiredFlag(name, description, metavar))

export const unlessEmpty = <A>(values: ReadonlyArray<A>) => values.length === 0 ? undefined : values

/** `undefined` if it is not given. */
export const repeatableFlag = (name: string, description: string, metavar?: string) =>
  requiredFlag(name, description, metavar).pipe(Flag.atLeast(0), Flag.map(unlessEmpty))

export const countFlag = (name: string, description: string, metavar: string) =>
  Flag.Int(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), Flag.optional)

export const switchFlag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

export const choiceFlag = <const Choices extends ReadonlyArray<string>>(
  name: string,
  choices: Choices,
  description: string
) => Flag.Literals(name, choices).pipe(Flag.withDescription(description), Flag.optional)

/** `cleared` if the flag that clears the value is given, else the value. `flags` names the two: both is an error. */
export const valueOr = <A, B>(isCleared: boolean, cleared: B, value: A | undefined, flags: string) => {
  if (!isCleared) return Effect.succeed(value)
  return value === undefined ? Effect.succeed(cleared) : Effect.fail(usageError(`Pass either ${flags}, not both`))
}

/** When something expires: after a duration, or at a time. */
export const expiresFlag = (description: string) =>
  requiredFlag("expires", `${description}: \`90 days\`, 2030-01-31 or 2030-01-31T09:00:00Z`, "<duration or time>").pipe(
    Flag.withAlias("expires-in"),
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

/** Rounds up to whole seconds. */
export const secondsUntil = Effect.fnUntraced(function*(expires: Date) {
  return Math.ceil((expires.getTime() - (yield* Clock.currentTimeMillis)) / 1000)
})
