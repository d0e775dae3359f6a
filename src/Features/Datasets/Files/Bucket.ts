import { AwsV4Signer } from "aws4fetch"
import { Duration, Effect, Layer, Option, Redacted, Schedule, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { hash } from "node:crypto"
import type { BucketSettings } from "../Settings.ts"
import { DatasetStorageFailed, type FileEntry, type FileStore } from "./FileStore.ts"

interface BucketRequest {
  readonly method: "GET" | "HEAD" | "PUT" | "DELETE"
  /** Empty for the bucket. */
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly content?: Uint8Array<ArrayBuffer>
}

/** Limits one attempt, until the headers of the response arrive. */
const timeout = Duration.seconds(60)

/** Follows no redirects, which an S3 store sends for a wrong region. */
const Http = FetchHttpClient.layer.pipe(
  Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
)

/** A bucket of S3 or of a compatible store, addressed by path. A PUT replaces a file as a whole. */
export const makeBucket = Effect.fnUntraced(function*(settings: BucketSettings) {
  const { accessKeyId, bucket, endpoint, prefix, region } = settings
  const secretAccessKey = Redacted.value(settings.secretAccessKey)
  const keyOf = (path: string) => prefix === "" ? path : `${prefix}/${path}`
  /** Keys that sign requests, by day. */
  const signingKeys = new Map<string, ArrayBuffer>()
  const http = (yield* HttpClient.HttpClient).pipe(
    HttpClient.transform(Effect.timeout(timeout)),
    HttpClient.retryTransient({ schedule: Schedule.exponential("200 millis"), times: 4 })
  )

  /** Fails unless the store accepts the request. None if it has no such file. */
  const send = Effect.fnUntraced(function*({ content, key, method, query = {} }: BucketRequest) {
    const signer = new AwsV4Signer({
      method,
      url: `${endpoint}/${bucket}${key === "" ? "" : `/${key}`}?${new URLSearchParams(query).toString()}`,
      headers: { "x-amz-content-sha256": hash("sha256", content ?? "") },
      accessKeyId,
      secretAccessKey,
      service: "s3",
      region,
      cache: signingKeys
    })
    const { headers, url } = yield* Effect.promise(() => signer.sign())
    const request = HttpClientRequest.make(method)(url, { headers })
    const response = yield* http.execute(
      content === undefined ? request : HttpClientRequest.bodyUint8Array(request, content)
    ).pipe(Effect.mapError(({ message }) => failed(`${method} ${endpoint}/${bucket}/${key}: ${message}`)))
    if (response.status < 300) return Option.some(response)
    const body = yield* textOf(response)
    const code = field(body, "Code")
    if (code === "NoSuchBucket") return yield* failed(`there is no bucket ${bucket} at ${endpoint}`)
    if (response.status === 404) return Option.none()
    return yield* failed(
      `${method} ${endpoint}/${bucket}/${key} got ${[response.status, code, field(body, "Message")].join(" ").trim()}`
    )
  }, Effect.provideService(HttpClient.TracerPropagationEnabled, false))

  const listFrom = (folder: string, after: string | undefined): Effect.Effect<
    ReadonlyArray<FileEntry>,
    DatasetStorageFailed
  > =>
    Effect.gen(function*() {
      const start = `${keyOf(folder)}/`
      const query = { "list-type": "2", prefix: start, ...after === undefined ? {} : { "continuation-token": after } }
      const response = yield* send({ method: "GET", key: "", query })
      if (Option.isNone(response)) return []
      const xml = yield* textOf(response.value)
      const entries = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, file = ""]) => ({
        name: field(file, "Key").slice(start.length),
        bytes: Number(field(file, "Size")),
        modified_at: field(file, "LastModified")
      }))
      const next = field(xml, "NextContinuationToken")
      return next === "" ? entries : [...entries, ...yield* listFrom(folder, next)]
    })

  const list = Effect.fn("Bucket.list")((folder: string) => listFrom(folder, undefined))

  const check = Effect.asVoid(
    send({ method: "GET", key: "", query: { "list-type": "2", "max-keys": "1", prefix: keyOf("") } })
  )

  const contentOf = (key: string) =>
    Stream.unwrap(Effect.gen(function*() {
      const response = yield* send({ method: "GET", key })
      if (Option.isNone(response)) return yield* failed(`GET ${endpoint}/${bucket}/${key} found no file`)
      return Stream.mapError(response.value.stream, ({ message }) => failed(message))
    }))

  const store: FileStore = {
    write: Effect.fn("Bucket.write")(function*(path, content) {
      yield* send({ method: "PUT", key: keyOf(path), content: new Uint8Array(content) })
    }),
    read: Effect.fn("Bucket.read")(function*(path) {
      const key = keyOf(path)
      const found = yield* send({ method: "HEAD", key })
      // The response to a HEAD does not say that there is no bucket.
      if (Option.isNone(found)) yield* check
      return Option.map(found, ({ headers }) => ({ bytes: Number(headers["content-length"]), content: contentOf(key) }))
    }),
    list,
    remove: Effect.fn("Bucket.remove")(function*(folder) {
      yield* Effect.forEach(
        yield* list(folder),
        ({ name }) => send({ method: "DELETE", key: keyOf(`${folder}/${name}`) }),
        { concurrency: 8, discard: true }
      )
    }),
    check
  }
  return store
}, Effect.provide(Http))

const failed = (message: string) =>
  new DatasetStorageFailed({ message: `The bucket of datasets cannot be used: ${message}` })

const textOf = ({ text }: HttpClientResponse.HttpClientResponse) =>
  Effect.mapError(text, ({ message }) => failed(message))

/** The first element of this name, which has no element within. Empty if there is none. */
const field = (xml: string, name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ""
