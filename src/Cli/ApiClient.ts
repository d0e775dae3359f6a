import { Config, Effect, FileSystem, Option, Path, Redacted } from "effect"
import { Flag, GlobalFlag } from "effect/cli"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import { Api } from "../Api/Api.ts"
import { baseUrl } from "../Settings.ts"
import { ErrorAnswer, Failure, misuse, refusal } from "./Failure.ts"
import { textOf } from "./Input.ts"

export const urlFlag = GlobalFlag.Setting("url")({
  flag: Flag.String("url").pipe(
    Flag.withDescription("Where the service is; OA_URL, BASE_URL or http://127.0.0.1:8787 by default"),
    Flag.optional
  )
})

const token = GlobalFlag.Setting("token")({
  flag: Flag.String("token").pipe(
    Flag.withDescription("The admin token, better as @file; ADMIN_TOKEN or DATA_DIR/admin-token by default"),
    Flag.optional
  )
})

const key = GlobalFlag.Setting("key")({
  flag: Flag.String("key").pipe(
    Flag.withDescription("The API key, better as @file; OA_KEY by default"),
    Flag.optional
  )
})

/** The flags of commands that the operator gives. */
export const operatorFlags = [urlFlag, token] as const

/** The flags of commands that whoever has an API key gives. */
export const callerFlags = [urlFlag, key] as const

const namedUrl = Effect.gen(function*() {
  const flag = yield* urlFlag
  const named = Option.isSome(flag) ? flag : yield* Config.option(Config.NonEmptyString("OA_URL"))
  if (Option.isSome(named) && !/^https?:$/.test(URL.parse(named.value)?.protocol ?? "")) {
    return yield* misuse(`"${named.value}" is not the http(s) URL of a service`)
  }
  return Option.map(named, (url) => url.replace(/\/+(v1\/*)?$/, ""))
})

/** Without a slash at the end, and without `/v1`. */
export const serviceUrl = Effect.flatMap(namedUrl, Option.match({ onSome: Effect.succeed, onNone: () => baseUrl }))

const credential = Effect.fnUntraced(function*(name: string, flag: Option.Option<string>, setting: string) {
  if (Option.isNone(flag)) return yield* Config.option(Config.Redacted(setting))
  return Option.some(Redacted.make((yield* textOf(name, flag.value)).trim()))
})

/** `DATA_DIR`, which is not made: that is a server's to do. */
export const dataDirPath = Effect.gen(function*() {
  const { resolve } = yield* Path.Path
  return resolve(yield* Config.NonEmptyString("DATA_DIR").pipe(Config.withDefault("./.data")))
})

/** A server elsewhere has another token, and is not to see this one. */
const isHere = Option.match({
  onNone: () => true,
  onSome: (url: string) => ["127.0.0.1", "localhost", "[::1]"].includes(new URL(url).hostname)
})

const adminToken = Effect.gen(function*() {
  const given = yield* credential("--token", yield* token, "ADMIN_TOKEN")
  if (Option.isSome(given)) return given.value
  const { join } = yield* Path.Path
  const file = join(yield* dataDirPath, "admin-token")
  const fs = yield* FileSystem.FileSystem
  const stored = isHere(yield* namedUrl) ? yield* Effect.option(fs.readFileString(file)) : Option.none()
  if (Option.isSome(stored)) return Redacted.make(stored.value.trim())
  return yield* new Failure({
    exit: "unauthenticated",
    message: "No admin token",
    hint: `Set ADMIN_TOKEN, pass --token @file, or run this where ${file} of the server can be read.`
  })
})

const apiKey = Effect.gen(function*() {
  const given = yield* credential("--key", yield* key, "OA_KEY")
  if (Option.isSome(given)) return given.value
  return yield* new Failure({
    exit: "unauthenticated",
    message: "No API key",
    hint: "Set OA_KEY or pass --key @file; `oa key create` makes one."
  })
})

const answered = (response: HttpClientResponse.HttpClientResponse) =>
  response.status < 400
    ? Effect.succeed(response)
    : Effect.flatMap(HttpClientResponse.schemaBodyJson(ErrorAnswer)(response), (answer) => Effect.fail(refusal(answer)))

const connect = Effect.fnUntraced(function*(credential: Redacted.Redacted) {
  const httpClient = yield* HttpClient.HttpClient
  return yield* HttpApiClient.makeWith(Api, {
    baseUrl: yield* serviceUrl,
    httpClient: httpClient.pipe(
      HttpClient.mapRequest(HttpClientRequest.bearerToken(credential)),
      HttpClient.transformResponse(Effect.flatMap(answered))
    )
  })
})

/** The API with the operator's rights. */
export const asOperator = Effect.flatMap(adminToken, connect)

/** The API with an API key's rights. */
export const asCaller = Effect.flatMap(apiKey, connect)
