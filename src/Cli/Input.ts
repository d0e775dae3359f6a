import { Effect, FileSystem, Option, Predicate, Result, type Schema, Stdio, Stream } from "effect"
import { validator } from "../Domain/Validation.ts"
import { misuse } from "./Failure.ts"

/** What `@file`, `-` (standard input) or the text itself stands for. */
export const textOf = Effect.fnUntraced(function*(name: string, source: string) {
  if (source === "-") {
    const stdio = yield* Stdio.Stdio
    return yield* Stream.mkString(Stream.decodeText(stdio.stdin)).pipe(
      Effect.mapError(({ message }) => misuse(`${name}: standard input cannot be read: ${message}`))
    )
  }
  if (!source.startsWith("@")) return source
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString(source.slice(1)).pipe(
    Effect.mapError(({ reason }) => misuse(`${name}: ${source.slice(1)} cannot be read (${reason._tag})`))
  )
})

/** Says where the text is wrong, not what it is: it may be a secret. */
export const jsonOf = Effect.fnUntraced(function*(name: string, source: string) {
  const text = yield* textOf(name, source)
  return yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (error) => misuse(`${name} is not JSON${placeIn(error)}`)
  })
})

const placeIn = (error: unknown): string => {
  const [place] = /at position \d+( \(line \d+ column \d+\))?$/.exec(String(error)) ?? []
  return place === undefined ? "" : ` (${place})`
}

/** A JSON object that never stands on the command line, where every user of the machine could read it. */
export const secretOf = Effect.fnUntraced(function*(name: string, source: string) {
  if (source !== "-" && !source.startsWith("@")) {
    return yield* misuse(`${name} takes @file or - (standard input): other users can read the command line`)
  }
  const json = yield* jsonOf(name, source)
  return Predicate.isObject(json) ? json : yield* misuse(`${name} is not a JSON object`)
})

/** The flags that were given, as the API takes them; what it would refuse is refused here. */
export const given = <A>(
  schema: Schema.Codec<A, unknown>,
  flags: Readonly<Record<string, unknown>>
): Effect.Effect<A, ReturnType<typeof misuse>> => {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(flags)) {
    const known = Option.isOption(value) ? Option.getOrUndefined(value) : value
    if (known !== undefined) fields[name] = known
  }
  return Result.match(validator(schema)(fields), {
    onSuccess: (value) => Effect.succeed(value),
    onFailure: (issues) =>
      Effect.fail(misuse(issues.map(({ message, path }) => `${path.join(".")}: ${message}`).join("\n")))
  })
}
