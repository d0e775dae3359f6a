import { Effect, FileSystem, Option, Predicate, Record, Result, type Schema, Stdio, Stream } from "effect"
import { parseNumbers } from "../Domain/Json/ExactNumber.ts"
import { lostDigits } from "../Domain/Validation/LostDigits.ts"
import { validator } from "../Domain/Validation/Validation.ts"
import { type Failure, usageError } from "./Failure.ts"

export const readText = Effect.fnUntraced(function*(name: string, source: string) {
  if (source === "-") {
    const stdio = yield* Stdio.Stdio
    return yield* Stream.mkString(Stream.decodeText(stdio.stdin)).pipe(
      Effect.mapError(({ message }) => usageError(`${name}: standard input cannot be read: ${message}`))
    )
  }
  if (!source.startsWith("@")) return source
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString(source.slice(1)).pipe(
    Effect.mapError(({ reason }) => usageError(`${name}: ${source.slice(1)} cannot be read (${reason._tag})`))
  )
})

/** Errors give the position but never quote the text, which may be a secret. */
export const readJson = Effect.fnUntraced(function*(name: string, source: string) {
  const text = yield* readText(name, source)
  const json = yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (error) => usageError(`${name} is not JSON${parsePosition(error)}`)
  })
  const [lost] = lostDigits(parseNumbers(text))
  return lost === undefined ? json : yield* usageError(`${[name, ...lost.path].join(".")}: ${lost.message}`)
})

const parsePosition = (error: unknown): string => {
  const [place] = /at position \d+( \(line \d+ column \d+\))?$/.exec(String(error)) ?? []
  return place === undefined ? "" : ` (${place})`
}

export const readSecret = Effect.fnUntraced(function*(name: string, source: string) {
  if (source !== "-" && !source.startsWith("@")) {
    return yield* usageError(`${name} takes @file or - (standard input): other users can read the command line`)
  }
  const json = yield* readJson(name, source)
  return Predicate.isObject(json) ? json : yield* usageError(`${name} is not a JSON object`)
})

export const decodeFlags = <A>(
  schema: Schema.Codec<A, unknown>,
  flags: Readonly<Record<string, unknown>>
): Effect.Effect<A, Failure> => {
  const values = Record.map(flags, (value) => Option.isOption(value) ? Option.getOrUndefined(value) : value)
  const fields = Record.filter(values, Predicate.isNotUndefined)
  return Result.match(validator(schema)(fields), {
    onSuccess: (value) => Effect.succeed(value),
    onFailure: (issues) =>
      Effect.fail(usageError(issues.map(({ message, path }) => `${path.join(".")}: ${message}`).join("\n")))
  })
}

/** Fails if no flag was passed. `names` are the names of the flags. */
export const decodeChange = Effect.fnUntraced(function*<A extends object>(
  schema: Schema.Codec<A, unknown>,
  names: string,
  flags: Readonly<Record<string, unknown>>
) {
  const change = yield* decodeFlags(schema, flags)
  return Object.keys(change).length === 0 ? yield* usageError(`Nothing to change: pass ${names}`) : change
})
