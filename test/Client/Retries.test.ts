import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import { afterEach, beforeEach, vi } from "vitest"
import type { CallError } from "../../src/Api/Errors.ts"
import type {
  HeadersTooLarge,
  MethodNotAllowed,
  RouteNotFound,
  Unavailable
} from "../../src/Api/Errors/RequestErrors.ts"
import { createClient, type ErrorCode, OpenAccountsError } from "../../src/Client/Client.ts"
import type { Resources } from "../../src/Client/Generated/Resources.ts"
import type { ErrorDetails } from "../../src/Client/OpenAccountsError.ts"
import type { Api } from "../../src/Features/Contracts.ts"

/** Does not compile when a call can fail with a code that the client does not know. */
const known = (code: CallError["code"] | "unavailable"): ErrorCode => code

interface Answer {
  readonly status?: number
  readonly code?: CallError["code"] | "unavailable"
  readonly retryAfter?: string
  readonly text?: string
}

const ok = { call_id: "call_1", connection_id: "con_1", cached: false, cost_usd: 0, latency_ms: 1, data: {} }

const refused = (code: string) => new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) })

/** `Retry-After` is 0, so retries do not wait. */
const clientOf = (...answers: ReadonlyArray<Answer | Error>) => {
  const requests: Array<Request> = []
  const client = createClient({
    baseUrl: "https://accounts.example",
    apiKey: "oa_key",
    fetch: async (input, init) => {
      const answer = answers[requests.length]
      requests.push(new Request(input, init))
      if (answer instanceof Error) throw answer
      const { code, retryAfter = "0", status = 200, text } = answer ?? {}
      const body = code === undefined ? ok : { call_id: "call_1", error: { code: known(code), message: "No." } }
      return new Response(status === 204 ? null : text ?? JSON.stringify(body), {
        status,
        headers: { "retry-after": retryAfter, "x-call-id": "call_1" }
      })
    }
  })
  return { client, requests }
}

const settled = async <A>(call: Promise<A>): Promise<A> => {
  const state = { isSettled: false }
  const end = () => {
    state.isSettled = true
  }
  call.then(end, end)
  while (!state.isSettled) {
    await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(5000)
  }
  return call
}

const codeOf = (call: Promise<unknown>): Promise<ErrorCode | "none"> =>
  settled(call.then((): ErrorCode | "none" => "none", (error: unknown) => {
    assert.instanceOf(error, OpenAccountsError)
    return error instanceof OpenAccountsError ? error.code : "none"
  }))

const unavailable = { status: 503, code: "unavailable" } as const
const limited = { status: 429, code: "rate_limited" } as const
const broken = { status: 502, code: "upstream_unreachable" } as const
const failed = { status: 500, code: "internal_error" } as const
const inProgress = { status: 409, code: "idempotency_in_progress" } as const

const read = (...answers: ReadonlyArray<Answer | Error>) => {
  const { client, requests } = clientOf(...answers)
  return codeOf(client.gsc.topQueries({ site: "example.com" })).then((code) => [code, requests.length])
}
const write = (idempotencyKey: string | undefined, ...answers: ReadonlyArray<Answer | Error>) => {
  const { client, requests } = clientOf(...answers)
  return codeOf(client.gdocs.append({ document: "1", text: "a" }, { idempotencyKey })).then(
    (code) => [code, requests.length]
  )
}

describe("A call of the client", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }))
  afterEach(() => void vi.useRealTimers())

  it("that reads is sent again at most twice after failures that may pass", async () => {
    assert.deepStrictEqual(await read(limited, broken), ["none", 3])
    assert.deepStrictEqual(await read(unavailable, failed, broken, {}), ["upstream_unreachable", 3])
    assert.deepStrictEqual(await read({ status: 502, text: "<html>" }, {}), ["none", 2])
  })

  it("that reads is not sent again when the answer would be the same", async () => {
    assert.deepStrictEqual(await read({ status: 403, code: "read_only" }), ["read_only", 1])
    assert.deepStrictEqual(await read({ status: 404, code: "upstream_error" }), ["upstream_error", 1])
    assert.deepStrictEqual(await read({ status: 200, text: "<html>" }), ["invalid_response", 1])
  })

  it("that writes is sent again only when certainly nothing was sent", async () => {
    assert.deepStrictEqual(await write(undefined, limited, unavailable), ["none", 3])
    assert.deepStrictEqual(await write(undefined, refused("ECONNREFUSED")), ["none", 2])
    for (const answer of [broken, failed]) {
      assert.deepStrictEqual(await write(undefined, answer), [answer.code, 1])
    }
    assert.deepStrictEqual(await write(undefined, refused("ECONNRESET")), ["unreachable", 1])
    assert.deepStrictEqual(await write(undefined, { status: 503, text: "<html>" }), ["invalid_response", 1])
  })

  it("that writes with a key is sent again, with the same key and body", async () => {
    assert.deepStrictEqual(await write("k", refused("ECONNRESET"), inProgress), ["none", 3])
    assert.deepStrictEqual(await write("k", { status: 409, code: "outcome_unknown" }), ["outcome_unknown", 1])
    const { client, requests } = clientOf(failed)
    await settled(client.gdocs.append({ document: "1", text: "a" }, { idempotencyKey: "k", connectionId: "con_1" }))
    assert.deepStrictEqual(requests.map(({ headers }) => headers.get("idempotency-key")), ["k", "k"])
    const [first, second] = await Promise.all(requests.map((request) => request.text()))
    assert.strictEqual(first, second)
    assert.deepStrictEqual(JSON.parse(first ?? ""), {
      provider: "gdocs",
      tool: "docs_append",
      input: { document: "1", text: "a" },
      connection_id: "con_1"
    })
  })

  it("does not wait for a service that asks for more than half a minute", async () => {
    assert.deepStrictEqual(await read({ ...limited, retryAfter: "31" }), ["rate_limited", 1])
  })

  it("ends with the reason of its signal, also between two attempts", async () => {
    const { client, requests } = clientOf({ ...limited, retryAfter: "20" })
    const controller = new AbortController()
    const call = client.gsc.sites.list({}, { signal: controller.signal }).catch((error: unknown) => error)
    await Promise.resolve()
    controller.abort("enough")
    assert.strictEqual(await call, "enough")
    assert.isAtMost(requests.length, 1)
  })

  it("is not sent with an idempotency key that no header can hold", async () => {
    const { client, requests } = clientOf()
    for (const idempotencyKey of ["", "a b", "ü", "k".repeat(256)]) {
      const error = await client.gdocs.create({ title: "a" }, { idempotencyKey }).catch((cause: unknown) => cause)
      assert.instanceOf(error, TypeError)
    }
    assert.isEmpty(requests)
  })

  it("that manages is sent again like a read if it only reads, else only when nothing was carried out", async () => {
    const page = { text: JSON.stringify({ calls: [], cursor: null }) }
    const list = clientOf({ status: 503, text: "<html>" }, failed, page)
    assert.strictEqual(await codeOf(list.client.logs.list({ cached: false, target: "raw:a b" })), "none")
    assert.deepStrictEqual(
      list.requests.map(({ method, url }) => `${method} ${url}`),
      Array(3).fill("GET https://accounts.example/v1/logs?cached=false&target=raw%3Aa+b")
    )
    const sent = async (...answers: ReadonlyArray<Answer | Error>) => {
      const { client, requests } = clientOf(...answers)
      return [await codeOf(client.webhooks.delete("whk_1")), requests.length]
    }
    const deleted = { status: 204 }
    assert.deepStrictEqual(await sent(limited, refused("ECONNREFUSED"), deleted), ["none", 3])
    assert.deepStrictEqual(await sent(failed), ["internal_error", 1])
    assert.deepStrictEqual(await sent(refused("ECONNRESET")), ["unreachable", 1])
    assert.deepStrictEqual(await sent({ status: 200, text: "<html>" }), ["invalid_response", 1])
  })

  it("is not sent with an id that leads to another path", async () => {
    const { client, requests } = clientOf()
    for (const id of ["", ".", ".."]) {
      assert.instanceOf(await client.webhooks.delete(id).catch((cause: unknown) => cause), TypeError)
    }
    assert.isEmpty(requests)
    await codeOf(client.logs.get("../a?b"))
    assert.strictEqual(requests[0]?.url, "https://accounts.example/v1/logs/..%2Fa%3Fb")
  })

  it("never has the API key in an error", async () => {
    assert.throws(() => createClient({ baseUrl: "https://a.example", apiKey: "oa_\nsecret" }), /^`apiKey` is not/)
    assert.throws(() => createClient({ baseUrl: "ftp://a.example", apiKey: "oa_secret" }), /^`baseUrl` is not/)
    const { client } = clientOf(refused("ECONNRESET"), refused("ECONNRESET"), refused("ECONNRESET"))
    const error = await settled(client.gsc.sites.list().catch((cause: unknown) => cause))
    assert.notInclude(JSON.stringify(error) + String(error), "oa_key")
  })
})

type Groups = (typeof Api)["groups"]

type Endpoints = { readonly [Group in keyof Resources]: Groups[Group]["endpoints"] }[keyof Resources]

type ErrorsOf<Group> = Group extends unknown ? { readonly [E in keyof Group]: Group[E] }[keyof Group] : never

type OfResources = Extract<ErrorsOf<Endpoints>, { readonly "~Error": unknown }>["~Error"]["Type"]

type Declared = CallError | OfResources | HeadersTooLarge | Unavailable | RouteNotFound | MethodNotAllowed

type CodesOf<Details> = {
  readonly [Code in keyof Details]: [Exclude<Details[Code], undefined>] extends [never] ? never : Code
}[keyof Details]

type DeclaredDetails = { readonly [E in Declared as E["code"]]: E["details"] }

/** Failures that the client finds itself. */
type Own = "unreachable" | "invalid_response"

describe("The client's errors", () => {
  it("have the codes that the service declares", () => {
    expectTypeOf<ErrorCode>().toEqualTypeOf<Declared["code"] | Own>()
  })

  it("have details where the service declares them", () => {
    expectTypeOf<CodesOf<ErrorDetails>>().toEqualTypeOf<CodesOf<DeclaredDetails> | Own>()
  })
})
