import { Config, Context, Effect, FileSystem, Layer, Path, Redacted } from "effect"

/** The folder of the embedded database and the generated secrets. Created on first use, with mode 0700. */
export class DataDir extends Context.Service<DataDir, {
  readonly path: (name: string) => Effect.Effect<string>
  /** Reads a secret from a file. Generates it on first use. */
  readonly secret: (name: string, generate: () => string) => Effect.Effect<Redacted.Redacted>
}>()("openaccounts/Sql/DataDir") {
  static readonly layer = Layer.effect(
    DataDir,
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { join, resolve } = yield* Path.Path
      const root = resolve(yield* Config.NonEmptyString("DATA_DIR").pipe(Config.withDefault("./.data")))
      const made = yield* Effect.cached(Effect.orDie(fs.makeDirectory(root, { recursive: true, mode: 0o700 })))
      const path = (name: string) => Effect.as(made, join(root, name))

      return DataDir.of({
        path,
        secret: Effect.fn("DataDir.secret")(function*(name, generate) {
          const file = yield* path(name)
          yield* fs.writeFileString(file, `${generate()}\n`, { flag: "wx", mode: 0o600 }).pipe(
            Effect.catchIf((error) => error.reason._tag === "AlreadyExists", () => Effect.void),
            Effect.orDie
          )
          return Redacted.make((yield* Effect.orDie(fs.readFileString(file))).trim())
        })
      })
    })
  )
}
