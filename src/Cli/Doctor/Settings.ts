import { Array, Config, Context, Effect, FileSystem, Layer, Option, Path, Redacted } from "effect"
import { isIP } from "node:net"
import { Vault } from "../../Connections/Vault.ts"
import { AdminToken } from "../../Management/AdminToken.ts"
import { Origins } from "../../Providers/Origins.ts"
import { baseUrl, listenAddress } from "../../Settings.ts"
import { Database } from "../../Sql/Database.ts"
import { DataDir } from "../../Sql/DataDir.ts"
import { dataDirPath } from "../ApiClient.ts"
import { check, type Finding, isSandboxed, ok, problem, skipped, warning } from "./Check.ts"

/** `DATA_DIR` as a server would find it; what it would write there is not written. */
const untouchedDataDir = Layer.effect(
  DataDir,
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const { join } = yield* Path.Path
    const root = yield* dataDirPath
    return DataDir.of({
      path: (name) => Effect.succeed(join(root, name)),
      secret: (name, generate) =>
        fs.readFileString(join(root, name)).pipe(
          Effect.catch(() => Effect.sync(generate)),
          Effect.map((text) => Redacted.make(text.trim()))
        )
    })
  })
)

/** Which database a server would open, without opening it. */
const unopenedDatabase = Layer.effect(
  Database,
  Effect.map(
    Config.option(Config.Redacted("DATABASE_URL")),
    (url) => Database.of({ kind: Option.isSome(url) ? "server" : "embedded" })
  )
)

/** What a server makes of this layer's settings. */
const read = <A, E, R>(layer: Layer.Layer<A, E, R>) =>
  Effect.scoped(Layer.build(layer.pipe(
    Layer.fresh,
    Layer.provide(unopenedDatabase),
    Layer.provide(untouchedDataDir)
  )))

const address = check(
  "address",
  Effect.gen(function*() {
    const { host, port } = yield* listenAddress
    return ok(`HOST and PORT are ${host}:${port}, BASE_URL is ${yield* baseUrl}`)
  })
)

const providers = check(
  "providers",
  Effect.gen(function*() {
    yield* read(Origins.layer)
    return ok((yield* isSandboxed) ? "the built-in sandbox, for PROVIDER_MODE says so" : "live")
  })
)

const encryptionKeys = check(
  "encryption keys",
  Effect.gen(function*() {
    const { keyId } = Context.get(yield* read(Vault.layer), Vault)
    return ok(`"${keyId}" seals`)
  })
)

const adminToken = check(
  "admin token",
  Effect.gen(function*() {
    const { token } = Context.get(yield* read(AdminToken.layer), AdminToken)
    return Option.isSome(token) ? ok("is set") : warning("not set: there is no management API")
  })
)

const secretFiles = ["admin-token", "encryption-keys"]

const permissions = check(
  "permissions",
  Effect.gen(function*() {
    if (process.platform === "win32") return skipped("this system has no file modes")
    const fs = yield* FileSystem.FileSystem
    const { join } = yield* Path.Path
    const root = yield* dataDirPath
    const modeOf = (path: string) => Effect.option(Effect.map(fs.stat(path), ({ mode }) => [path, mode] as const))
    const found = Array.getSomes(
      yield* Effect.forEach([root, ...secretFiles.map((name) => join(root, name))], modeOf)
    )
    if (found.length === 0) return skipped(`there is no ${root} yet`)
    const open = found.filter(([, mode]) => isOpenToOthers(mode))
    return open.length === 0
      ? ok(`only its owner can read ${root}`)
      : problem(open.map(([path]) => `others can read ${path}: chmod go= ${path}`).join("\n"))
  })
)

/** The group and everybody else have bits of a file's mode. */
export const isOpenToOthers = (mode: number): boolean => (mode & 0o077) !== 0

const redirectUris = check(
  "redirect URIs",
  Effect.gen(function*() {
    if (yield* isSandboxed) return skipped("the sandbox knows this service")
    const registered = yield* Effect.filter(["GOOGLE", "SITESEARCH"], (prefix) =>
      Effect.map(
        Config.option(Config.NonEmptyString(`${prefix}_CLIENT_ID`)),
        Option.isSome
      ))
    if (registered.length === 0) {
      return skipped("no OAuth application is set (GOOGLE_CLIENT_ID, SITESEARCH_CLIENT_ID): nobody can sign in")
    }
    const url = yield* baseUrl
    const finding = redirectUriFinding(url)
    return { ...finding, detail: `register ${url}/connect/callback with ${registered.join(" and ")}${finding.detail}` }
  })
)

/**
 * What identity providers make of a redirect URI below this address
 * (https://developers.google.com/identity/protocols/oauth2/web-server#uri-validation).
 */
export const redirectUriFinding = (base: string): Finding => {
  const { hostname, protocol } = new URL(base)
  const host = hostname.replace(/^\[|\]$/g, "")
  if (host === "localhost" || host === "127.0.0.1" || host === "::1") {
    return warning("; only a browser on this machine comes back to it: set BASE_URL for others")
  }
  if (protocol !== "https:") return problem("; they refuse http: set BASE_URL to an https address")
  return isIP(host) === 0 ? ok("") : problem("; they refuse an IP address: set BASE_URL to a name")
}

/** What can be told from the settings and the files, without a server. */
export const settingsChecks = Effect.all([address, providers, encryptionKeys, adminToken, permissions, redirectUris])
