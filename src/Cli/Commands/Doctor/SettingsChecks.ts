import { Config, Context, Effect, FileSystem, Layer, Option, Path, Redacted } from "effect"
import { isIP } from "node:net"
import { AdminToken } from "../../../Management/AdminToken.ts"
import { identitiesOf } from "../../../Providers/Provider.ts"
import { liveOrigins, providers, registrations } from "../../../Registrations.ts"
import { Sandbox } from "../../../Sandbox/Sandbox.ts"
import { generatedKeys, Vault } from "../../../Secrets/Vault.ts"
import {
  adminListenAddress,
  baseUrl,
  databaseUrl,
  type Finding,
  isSandboxed,
  listenAddress
} from "../../../Settings.ts"
import { Database } from "../../../Sql/Database.ts"
import { DataDir, findAccessible, isAccessibleToOthers } from "../../../Sql/DataDir.ts"
import { dataDirPath } from "../../DemoSettings.ts"
import { check, ok, problem, skipped, warning } from "./Check.ts"
import { requireDataFolder } from "./DataFolderCheck.ts"
import { featuresOn, otherSettings } from "./StartSettings.ts"

const readOnlyDataDir = Layer.effect(
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

/** A `DATABASE_URL` that cannot be read is a finding of the check of the database alone. */
const configuredDatabase = Layer.effect(
  Database,
  Effect.match(Config.option(Config.Redacted("DATABASE_URL")), {
    onFailure: () => Database.of({ kind: "server" }),
    onSuccess: (url) => Database.of({ kind: Option.isSome(url) ? "server" : "embedded" })
  })
)

const readSettings = <A, E, R>(layer: Layer.Layer<A, E, R>) =>
  Effect.scoped(Layer.build(layer.pipe(
    Layer.fresh,
    Layer.provide(configuredDatabase),
    Layer.provide(readOnlyDataDir)
  )))

const address = Effect.gen(function*() {
  const { host, port } = yield* listenAddress
  const admin = Option.match(yield* adminListenAddress, {
    onNone: () => "",
    onSome: ({ host, port }) => `, ADMIN_HOST and ADMIN_PORT are ${host}:${port}`
  })
  return ok(`HOST and PORT are ${host}:${port}, BASE_URL is ${yield* baseUrl}${admin}`)
}).pipe(check("address"))

const providerSettings = Effect.gen(function*() {
  const sandboxed = yield* isSandboxed
  yield* readSettings(liveOrigins(registrations.filter(({ fake }) => !sandboxed || fake === undefined)))
  return ok(sandboxed ? "the built-in sandbox (PROVIDER_MODE=sandbox)" : "live")
}).pipe(check("providers"))

export const configuredVault = Effect.map(readSettings(Vault.layer), (vault) => Context.get(vault, Vault))

const encryptionKeys = Effect.gen(function*() {
  const { keyId, source } = yield* configuredVault
  const fs = yield* FileSystem.FileSystem
  const { join } = yield* Path.Path
  const file = join(yield* dataDirPath, generatedKeys)
  const detail = `"${keyId}" of ${source} encrypts`
  const isStale = source !== file && Option.isNone(yield* databaseUrl) && (yield* fs.exists(file)) &&
    Redacted.value(yield* Config.Redacted("ENCRYPTION_KEYS")) !== (yield* fs.readFileString(file)).trim()
  return isStale
    ? warning(
      `${detail}. ${file} has other keys, which a start without ENCRYPTION_KEYS uses. Write the keys into that file, ` +
        "and leave out ENCRYPTION_KEYS, or delete the file"
    )
    : ok(detail)
}).pipe(check("encryption keys"))

const adminToken = Effect.gen(function*() {
  const { token } = Context.get(yield* readSettings(AdminToken.layer), AdminToken)
  return Option.isSome(token) ? ok("is set") : warning("not set: there is no management API")
}).pipe(check("admin token"))

const ownFiles = ["admin-token", "encryption-keys", "datasets", "db", "db.lock", "db.pid"]

const permissions = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const { join } = yield* Path.Path
  const root = yield* dataDirPath
  yield* requireDataFolder(root)
  if (process.platform === "win32") return skipped("this system has no file modes")
  if (!(yield* fs.exists(root))) return skipped(`there is no ${root} yet`)
  const { mode } = yield* fs.stat(root)
  const open = [
    isAccessibleToOthers(mode) ? [`others can read ${root}: chmod go= ${root}`] : [],
    ...yield* Effect.forEach(ownFiles, (name) => describeAccessible(join(root, name)))
  ].flat()
  return open.length === 0 ? ok(`only its owner can read ${root}`) : problem(open.join("\n"))
}).pipe(check("permissions"))

const describeAccessible = (path: string) =>
  Effect.map(findAccessible(path), ([first, ...others]) => {
    if (first === undefined) return []
    return others.length === 0
      ? [`others can read ${first.path}: chmod go= ${first.path}`]
      : [`others can read ${others.length + 1} files in ${path}: chmod -R go= ${path}`]
  })

const redirectUris = Effect.gen(function*() {
  if (yield* isSandboxed) return skipped("the sandbox accepts any")
  const settings = identitiesOf(providers).map(({ application }) => application.clientId)
  const configured = yield* Effect.filter(
    settings,
    (name) => Effect.map(Config.option(Config.NonEmptyString(name)), Option.isSome)
  )
  if (configured.length === 0) {
    return skipped(`no OAuth application is set (${settings.join(", ")}): accounts cannot sign in`)
  }
  const names = configured.map((name) => name.replace(/_CLIENT_ID$/, ""))
  const url = yield* baseUrl
  const finding = checkRedirectUri(url)
  return { ...finding, detail: `register ${url}/connect/callback with ${names.join(" and ")}${finding.detail}` }
}).pipe(check("redirect URIs"))

/** The rules for redirect URIs: https://developers.google.com/identity/protocols/oauth2/web-server#uri-validation. */
export const checkRedirectUri = (base: string): Finding => {
  const { hostname, protocol } = new URL(base)
  const host = hostname.replace(/^\[|\]$/g, "")
  if (host === "localhost" || host === "127.0.0.1" || host === "::1") {
    return warning("; it works only in a browser on this machine: set BASE_URL for others")
  }
  if (protocol !== "https:") return problem("; identity providers refuse http: set BASE_URL to an https URL")
  return isIP(host) === 0 ? ok("") : problem("; identity providers refuse IP addresses: set BASE_URL to a host name")
}

const featureChecks = Effect.flatMap(
  featuresOn,
  (on) => Effect.all(on.flatMap(({ owns }) => owns?.checks ?? []))
)

const coreChecks = Effect.all([
  address,
  providerSettings,
  encryptionKeys,
  adminToken,
  permissions,
  redirectUris,
  otherSettings
])

const allChecks = Effect.map(Effect.all([coreChecks, featureChecks]), (checks) => checks.flat())

/** The sandbox brings the applications of its identity providers. */
export const settingsChecks = Effect.flatMap(
  Effect.orElseSucceed(isSandboxed, () => false),
  (sandboxed) => sandboxed ? Effect.provide(allChecks, Sandbox.applicationsLayer) : allChecks
)
