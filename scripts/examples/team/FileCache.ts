import { Clock, Config, Duration, Effect, FileSystem, Layer, Option, Redacted, Schema } from "effect"
import { Cache, type CacheKey, type ConnectionId, Encrypted, JsonText, Vault } from "openaccounts"

const Entry = Schema.fromJsonString(Schema.toCodecJson(Schema.Struct({ at: Schema.Finite, body: Encrypted })))

const nameOf = ({ connection, requestHash }: CacheKey) => `${connection.id}-${requestHash.toString("hex")}`

/** One encrypted file for each response, for one instance. */
export const FileCache = Layer.effect(
  Cache,
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const vault = yield* Vault
    const folder = yield* Config.String("CACHE_FOLDER")
    yield* fs.makeDirectory(folder, { recursive: true })
    const drops = new Map<ConnectionId, number>()
    const droppedAt = (connection: ConnectionId) => drops.get(connection) ?? -Infinity

    const read = (name: string) =>
      Effect.option(Effect.flatMap(fs.readFileString(`${folder}/${name}`), Schema.decodeEffect(Entry)))

    const remove = (isRemoved: (name: string) => Effect.Effect<boolean>) =>
      fs.readDirectory(folder).pipe(
        Effect.flatMap(Effect.filter(isRemoved)),
        Effect.flatMap(Effect.forEach((name) => fs.remove(`${folder}/${name}`, { force: true }))),
        Effect.orDie,
        Effect.asVoid
      )

    return Cache.of({
      get: Effect.fnUntraced(function*(key, maxAge) {
        const oldest = (yield* Clock.currentTimeMillis) - Duration.toMillis(maxAge)
        const entry = Option.filter(
          yield* read(nameOf(key)),
          ({ at }) => at >= oldest && at > droppedAt(key.connection.id)
        )
        if (Option.isNone(entry)) return Option.none()
        const text = yield* vault.decrypt(key.name, entry.value.body)
        return Option.some(JsonText.trusted(Redacted.value(text)))
      }, Effect.catchTag("DecryptionFailed", () => Effect.succeedNone)),

      put: (key, { text }, at) =>
        Schema.encodeEffect(Entry)({ at, body: vault.encrypt(key.name, Redacted.make(text)) }).pipe(
          Effect.flatMap((entry) => fs.writeFileString(`${folder}/${nameOf(key)}`, entry, { mode: 0o600 })),
          Effect.catch((error) => Effect.logWarning("A response could not be cached", error))
        ),

      drop: (connection) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          drops.set(connection, now)
          return remove((name) => Effect.succeed(name.startsWith(connection)))
        }),

      droppedSince: (connection, millis) => Effect.sync(() => droppedAt(connection) >= millis),

      dropOutdated: remove((name) =>
        Effect.map(read(name), Option.exists(({ body }) => body.encryptionKeyId !== vault.keyId))
      )
    })
  })
)
