import { Effect, type Redacted, Schema, Stream } from "effect"
import { Part } from "./Parts.ts"
import { readSealed, SealedFileError, writeSealed } from "./SealedFile.ts"

/** The first line of a backup. The next ones are parts of the copy. */
const Head = Schema.Struct({
  made_at: Schema.String,
  /** `null` in a file without keys. */
  encryption_keys: Schema.NullOr(Schema.String),
  /** Files of an earlier version have keys. */
  key_digests: Schema.Array(Schema.Struct({ id: Schema.String, digest: Schema.String })).pipe(Schema.optionalKey),
  admin_token: Schema.NullOr(Schema.String)
})
export type Head = typeof Head.Type

export const writeBackup = <E, R>(
  path: string,
  passphrase: Redacted.Redacted,
  head: Head,
  parts: Stream.Stream<Part, E, R>
) =>
  writeSealed(
    path,
    passphrase,
    Stream.fromIterable<Head | Part>([head]).pipe(
      Stream.concat(parts),
      Stream.map((line) => `${JSON.stringify(line)}\n`)
    )
  )

export const readBackup = Effect.fnUntraced(function*(path: string, passphrase: Redacted.Redacted) {
  const lines = yield* readSealed(path, passphrase)
  const decode = <A>(schema: Schema.Codec<A, unknown>) => {
    const decodeLine = Schema.decodeUnknownEffect(Schema.fromJsonString(schema))
    return (line: string) =>
      Effect.mapError(decodeLine(line), () => new SealedFileError({ message: `${path} is of another version` }))
  }
  const [first] = yield* Stream.runCollect(Stream.take(lines, 1))
  return {
    head: yield* decode(Head)(first ?? ""),
    parts: Stream.mapEffect(Stream.drop(lines, 1), decode(Part))
  }
})
