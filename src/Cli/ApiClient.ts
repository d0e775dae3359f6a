import { Config, Effect, FileSystem, Option, Path, Redacted } from "effect"
import { GlobalFlag } from "effect/cli"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import { ErrorBody } from "../Api/ErrorBody.ts"
import { Api } from "../Features/Contracts.ts"
import { adminBaseUrl, baseUrl } from "../Settings.ts"
import { dataDirPath } from "./DemoSettings.ts"
import { Failure, serviceError, usageError } from "./Failure.ts"
import { optionalFlag } from "./Flags.ts"
import { readText } from "./Input.ts"
import { jsonFlag } from "./Output.ts"

export const urlFlag = GlobalFlag.Setting("url")({
  flag: optionalFlag(
    "url",
    "URL of the service; by default OA_ADMIN_URL with the admin token, else OA_URL, else the settings of a server " +
      "here, else http://localhost:8787"
  )
})

const token = GlobalFlag.Setting("token")({
  flag: optionalFlag("token", "Admin token, preferably as @file; by default ADMIN_TOKEN, else DATA_DIR/admin-token")
})

const key = GlobalFlag.Setting("key")({
  flag: optionalFlag("key", "API key, preferably as @file; by default OA_KEY")
})

export const adminFlags = [urlFlag, token, jsonFlag] as const

export const keyFlags = [urlFlag, key, jsonFlag] as const

export const callerFlags = [urlFlag, key, token, jsonFlag] as const

const configuredUrl = Effect.fnUntraced(function*(settings: ReadonlyArray<string>) {
  const urls = [
    yield* urlFlag,
    ...yield* Effect.forEach(settings, (name) => Config.option(Config.NonEmptyString(name)))
  ]
  const configured = Option.firstSomeOf(urls)
  if (Option.isSome(configured)) {
    const url = URL.parse(configured.value)
    if (url === null || !/^https?:$/.test(url.protocol) || url.href !== url.origin + url.pathname) {
      const shown = configured.value.replace(/\/\/.*@/, "//…@")
      return yield* usageError(`"${shown}" is not an http(s) URL, or has a user, a query or a fragment`)
    }
  }
  return Option.map(configured, (url) => url.replace(/\/+(v1\/*)?$/, ""))
})

export const serviceUrl = Effect.flatMap(
  configuredUrl(["OA_URL"]),
  Option.match({ onSome: Effect.succeed, onNone: () => baseUrl })
)

const configuredAdminUrl = configuredUrl(["OA_ADMIN_URL", "OA_URL"])

export const adminUrl = Effect.flatMap(
  configuredAdminUrl,
  Option.match({ onSome: Effect.succeed, onNone: () => adminBaseUrl })
)

const credential = Effect.fnUntraced(function*(name: string, flag: Option.Option<string>, setting: string) {
  if (Option.isNone(flag)) return yield* Config.option(Config.Redacted(setting))
  return Option.some(Redacted.make((yield* readText(name, flag.value)).trim()))
})

/** The token in `DATA_DIR` is only for the server on this machine. */
const isLoopback = Option.match({
  onNone: () => true,
  onSome: (url: string) => ["127.0.0.1", "localhost", "[::1]"].includes(new URL(url).hostname)
})

const adminToken = Effect.gen(function*() {
  const configured = yield* credential("--token", yield* token, "ADMIN_TOKEN")
  if (Option.isSome(configured)) return configured.value
  const { join } = yield* Path.Path
  const file = join(yield* dataDirPath, "admin-token")
  const fs = yield* FileSystem.FileSystem
  const stored = isLoopback(yield* configuredAdminUrl) ? yield* Effect.option(fs.readFileString(file)) : Option.none()
  if (Option.isSome(stored)) return Redacted.make(stored.value.trim())
  return yield* new Failure({
    exit: "unauthenticated",
    message: "No admin token",
    hint: `Set ADMIN_TOKEN, pass --token @file, or run this where the server's ${file} can be read.`
  })
})

const apiKey = Effect.gen(function*() {
  const configured = yield* credential("--key", yield* key, "OA_KEY")
  if (Option.isSome(configured)) return configured.value
  return yield* new Failure({
    exit: "unauthenticated",
    message: "No API key",
    hint: "Set OA_KEY or pass --key @file; `oa key create` creates one. `oa logs --all` and `oa stats --all` need none."
  })
})

const failOnErrorStatus = (response: HttpClientResponse.HttpClientResponse) =>
  response.status < 400
    ? Effect.succeed(response)
    : Effect.flatMap(HttpClientResponse.schemaBodyJson(ErrorBody)(response), (body) => Effect.fail(serviceError(body)))

const makeApi = Effect.fnUntraced(function*(
  baseUrl: string,
  credential: Redacted.Redacted,
  headers: Readonly<Record<string, string>> = {}
) {
  const httpClient = yield* HttpClient.HttpClient
  // A header takes nothing else, and the error about the header quotes the secret.
  if (!/^[!-~]*$/.test(Redacted.value(credential))) {
    return yield* usageError("The key or token has a character that none has, such as white space inside")
  }
  return yield* HttpApiClient.makeWith(Api, {
    baseUrl,
    httpClient: httpClient.pipe(
      HttpClient.mapRequest(HttpClientRequest.bearerToken(credential)),
      HttpClient.mapRequest(HttpClientRequest.setHeaders(headers)),
      HttpClient.transformResponse(Effect.flatMap(failOnErrorStatus))
    )
  })
})

export const adminApi = Effect.gen(function*() {
  return yield* makeApi(yield* adminUrl, yield* adminToken)
})

export const keyApiWith = (headers: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    return yield* makeApi(yield* serviceUrl, yield* apiKey, headers)
  })

export const keyApi = keyApiWith({})
