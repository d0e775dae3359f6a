import { Duration, Schema, SchemaTransformation } from "effect"

const form =
  /^(\d+(?:\.\d+)?)\s*(?:(ms|millis(?:econds?)?)|(s|secs?|seconds?)|(m|mins?|minutes?)|(h|hours?)|(d|days?)|(w|weeks?))$/i

const units = [Duration.millis, Duration.seconds, Duration.minutes, Duration.hours, Duration.days, Duration.weeks]

const decode = (text: string): Duration.Duration => {
  const [, amount, ...names] = form.exec(text) ?? []
  const unit = units[names.findIndex((name) => name !== undefined)] ?? Duration.millis
  return unit(Number(amount))
}

export const DurationText = Schema.String.check(
  Schema.isPattern(form, { message: "Expected a duration such as 30s, 5 minutes or 90 days" })
).pipe(Schema.decodeTo(Schema.Duration, SchemaTransformation.transform({ decode, encode: String })))

export const PositiveDuration = DurationText.check(
  Schema.makeFilter(Duration.isPositive, { message: "Expected a duration above 0, such as 30s or 90 days" })
)
