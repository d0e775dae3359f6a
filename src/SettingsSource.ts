import { ConfigProvider, Effect, FileSystem, Result } from "effect"
import { featureSecrets, settingsFiles } from "./Features/Settings.ts"
import { adminTokenSecrets } from "./Management/AdminToken.ts"
import { metricsSecrets } from "./Observability/Metrics.ts"
import { encryptionKeysSecrets } from "./Secrets/Vault.ts"
import { databaseSecrets } from "./Settings.ts"

const namedSecrets: ReadonlyArray<string> = [
  ...adminTokenSecrets,
  ...databaseSecrets,
  ...encryptionKeysSecrets,
  ...featureSecrets,
  ...metricsSecrets
]

/** Each of them also comes as `NAME_FILE`, with the path of a file that has the value. */
export const isSecret = (name: string): boolean => namedSecrets.includes(name) || name.endsWith("_CLIENT_SECRET")

/** Read here alone. `oa serve` has one source on another, and the outer one must not read the file again. */
const isFileOfSettings = (name: string) =>
  settingsFiles.some(({ setting }) => setting === name) ||
  (name.endsWith("_FILE") && isSecret(name.slice(0, -"_FILE".length)))

/** `ENCRYPTION_KEYS` is a list, whose entries are checked where they are read. */
const isOneWord = (name: string) => name !== "ENCRYPTION_KEYS" && /_(ID|ISSUER|KEY|SECRET|TOKEN|URL)$/.test(name)

const refuse = (message: string) => Effect.fail(new ConfigProvider.SourceError({ message }))

/**
 * Reads settings as people write them: without white space around a value, and secrets also from files. White space
 * inside a token, key, id or URL is a mistake.
 */
const makeSource = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const source = yield* ConfigProvider.ConfigProvider

  const textIn = Effect.fnUntraced(function*(setting: string, name: string, given: string | undefined) {
    const path = (yield* source.load([setting]))?.value?.trim()
    if (path === undefined || path === "") return undefined
    if (given !== undefined && given.trim() !== "") {
      return yield* refuse(`${name} and ${setting} are both set. Set one of them.`)
    }
    return yield* Effect.catch(
      fs.readFileString(path),
      ({ message }) => refuse(`${setting}: ${path} cannot be read: ${message}`)
    )
  })

  const fromFile = (name: string, given: string | undefined) =>
    Effect.map(textIn(`${name}_FILE`, name, given), (text) => text ?? given)

  /** Settings that come from a file with several of them. */
  const fromShared = Effect.fnUntraced(function*(name: string, given: string | undefined) {
    const file = settingsFiles.find(({ names }) => names.includes(name))
    const text = file && (yield* textIn(file.setting, name, given))
    if (file === undefined || text === undefined) return given
    const values = file.read(text)
    return Result.isSuccess(values) ? values.success[name] : yield* refuse(`${file.setting} ${values.failure}.`)
  })

  const read = Effect.fnUntraced(function*(path: ConfigProvider.Path) {
    const [name, ...below] = path
    if (typeof name !== "string" || below.length > 0) return yield* source.load(path)
    if (isFileOfSettings(name)) return undefined
    const node = yield* source.load(path)
    const own = isSecret(name) ? yield* fromFile(name, node?.value) : node?.value
    const value = (yield* fromShared(name, own))?.trim()
    if (value === undefined) return node
    if (isOneWord(name) && /\s/.test(value)) return yield* refuse(`${name} has white space inside. Take it out.`)
    return ConfigProvider.makeValue(value)
  })

  return ConfigProvider.make(read)
})

export const SettingsSource = ConfigProvider.layer(makeSource)
