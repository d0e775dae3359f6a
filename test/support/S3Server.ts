import { SignatureV4 } from "@smithy/signature-v4"
import { Effect } from "effect"
import { createHash, createHmac, type Hash, type Hmac } from "node:crypto"
import * as http from "node:http"
import { listening } from "./Listening.ts"

class Sha256 {
  readonly #hash: Hash | Hmac
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined
      ? createHash("sha256")
      : createHmac("sha256", typeof secret === "string" ? secret : bytesOf(secret))
  }
  update(data: string | ArrayBuffer | ArrayBufferView) {
    this.#hash.update(typeof data === "string" ? data : bytesOf(data))
  }
  digest() {
    return Promise.resolve(new Uint8Array(this.#hash.digest()))
  }
  reset() {}
}

const bytesOf = (data: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data)

const region = "eu-central-1"
const credentials = { accessKeyId: "AKIATEST", secretAccessKey: "a-secret-of-the-tests" }

/** What AWS's own signer says of the request. */
const authorizationOf = async ({ headers, method = "" }: http.IncomingMessage, { pathname, searchParams }: URL) => {
  const signer = new SignatureV4({
    credentials,
    region,
    service: "s3",
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false
  })
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? "")?.[1]?.split(";") ?? []
  const signed = await signer.sign({
    method,
    protocol: "http:",
    hostname: "127.0.0.1",
    path: pathname.split("/").map((part) => encodeURIComponent(decodeURIComponent(part))).join("/"),
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(names.map((name) => [name, String(headers[name])]))
  }, { signingDate: dateOf(String(headers["x-amz-date"])) })
  return signed.headers["authorization"]?.replaceAll(", ", ",")
}

const dateOf = (text: string): Date => new Date(text.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"))

const errorXml = (code: string, message: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`

const pageSize = 3

/** An S3 store with one bucket, which checks every signature and the hash of every content. Lists have three keys. */
export const s3Server = Effect.gen(function*() {
  const objects = new Map<string, { readonly content: Buffer; readonly modified: string }>()
  const failures: Array<number> = []
  const requests: Array<string> = []

  const listOf = (query: URLSearchParams) => {
    const after = query.get("continuation-token") ?? ""
    const keys = [...objects.keys()].toSorted().filter((key) =>
      key.startsWith(query.get("prefix") ?? "") && key > after
    )
    const page = keys.slice(0, pageSize)
    const files = page.map((key) =>
      `<Contents><Key>${key}</Key><LastModified>${objects.get(key)?.modified}</LastModified>` +
      `<ETag>&quot;1&quot;</ETag><Size>${objects.get(key)?.content.length}</Size></Contents>`
    )
    const next = keys.length > page.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ""
    return `<ListBucketResult><Name>reports</Name><IsTruncated>${next !== ""}</IsTruncated>${next}${files.join("")}` +
      "</ListBucketResult>"
  }

  const respond = async (
    request: http.IncomingMessage,
    content: Buffer
  ): Promise<[number, (string | Buffer)?]> => {
    const url = new URL(request.url ?? "", "http://127.0.0.1")
    requests.push(`${request.method} ${url.pathname}`)
    const failure = failures.shift()
    if (failure !== undefined) return [failure, errorXml("SlowDown", "Please reduce your request rate.")]
    const [, bucket, ...parts] = decodeURIComponent(url.pathname).split("/")
    if (await authorizationOf(request, url) !== request.headers.authorization?.replaceAll(", ", ",")) {
      return [403, errorXml("SignatureDoesNotMatch", "The signature does not match the signature you provided.")]
    }
    if (createHash("sha256").update(content).digest("hex") !== request.headers["x-amz-content-sha256"]) {
      return [400, errorXml("XAmzContentSHA256Mismatch", "The hash does not match what was computed.")]
    }
    if (bucket !== "reports") return [404, errorXml("NoSuchBucket", "The specified bucket does not exist")]
    const key = parts.join("/")
    switch (request.method) {
      case "PUT":
        objects.set(key, { content, modified: new Date().toISOString() })
        return [200]
      case "DELETE":
        objects.delete(key)
        return [204]
      default: {
        if (key === "") return [200, listOf(url.searchParams)]
        const found = objects.get(key)
        return found === undefined
          ? [404, errorXml("NoSuchKey", "The specified key does not exist.")]
          : [200, found.content]
      }
    }
  }

  const server = http.createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      void respond(request, Buffer.concat(chunks)).then(([status, body]) => {
        response.writeHead(status, body === undefined ? {} : { "content-length": Buffer.byteLength(body) })
        response.end(request.method === "HEAD" ? undefined : body)
      })
    })
  })
  const port = yield* listening(server)
  return {
    objects,
    requests,
    /** Statuses of the next responses. */
    failures,
    settings: {
      DATASETS_URL: "s3://reports/openaccounts/datasets",
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey
    }
  }
})
