import { Predicate } from "effect"
import * as fc from "fast-check"
import { reads, writes } from "../Service/EveryOperation.ts"
import type { Operation } from "../support/ApiDocument.ts"
import { arbitraryInput } from "../support/ArbitraryInput.ts"
import { hostileText, hostileValue } from "../support/Hostile.ts"
import { nearlyValid } from "../support/InputSchema.ts"

export interface FuzzRequest {
  readonly operation: Operation | undefined
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

export interface Stock {
  readonly operations: ReadonlyArray<Operation>
  readonly credentials: Readonly<Record<string, readonly [string, ...Array<string>]>>
  readonly ids: ReadonlyArray<string>
  readonly inputs: ReadonlyArray<{ readonly call: object; readonly schema: unknown }>
  readonly bodies: Readonly<Record<string, ReadonlyArray<unknown>>>
}

export const requestsTo = (stock: Stock): fc.Arbitrary<FuzzRequest> =>
  fc.oneof(
    ...stock.operations.map((operation) => ({
      arbitrary: requestTo(stock, operation),
      weight: operation.name === "POST /v1/call" ? 24 : 1
    })),
    ...["/openapi.json", "/docs", "/metrics"].map((path) => requestTo(stock, page(path)).map(astray))
  )

const page = (path: string): Operation => ({
  name: path,
  method: "GET",
  path,
  summary: "",
  schemes: [],
  parameters: [],
  body: undefined,
  examples: {},
  complaint: () => undefined
})

const astray = (request: FuzzRequest): FuzzRequest => ({ ...request, operation: undefined })

export const requestTo = (stock: Stock, operation: Operation): fc.Arbitrary<FuzzRequest> =>
  fc.record({
    method: mostly(
      fc.constant(operation.method),
      fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY")
    ),
    path: pathOf(stock, operation),
    query: queryOf(stock, operation),
    headers: headersOf(stock, operation),
    body: bodyOf(stock, operation)
  }).map(({ body, headers, method, path, query }) => ({
    operation: method === operation.method && path.isRegular ? operation : undefined,
    method,
    path: query === "" ? path.text : `${path.text}?${query}`,
    headers,
    body
  }))

const mostly = <A>(usual: fc.Arbitrary<A>, odd: fc.Arbitrary<A>): fc.Arbitrary<A> =>
  fc.oneof({ arbitrary: usual, weight: 24 }, { arbitrary: odd, weight: 1 })

const none = fc.constant<ReadonlyArray<readonly [string, string]>>([])

const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

const pathOf = ({ ids }: Stock, { path, parameters }: Operation) => {
  const names = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name)
  const id = fc.oneof(
    fc.constantFrom(...ids).map(encoded),
    fc.constantFrom("gsc", "ga4", "sitesearch", "gsheets", "gdocs"),
    hostileText.map(encoded),
    fc.constantFrom("%ff", "%", "%2e%2e", "%00", "%2F..%2F", "a%2Fb", "x".repeat(9_000))
  )
  const astray = fc.constantFrom("/", "//", "/..", "/.", ";a=b", "%20", "/%2e%2e", "%", "\\", ".json")
  return fc.record({
    values: fc.record(Object.fromEntries(names.map((name) => [name, id]))),
    more: mostly(fc.constant(""), astray)
  }).map(({ more, values }) => {
    const text = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "") + more
    const segments = Object.values(values)
    const isRegular = more === "" &&
      segments.every((each) => !["", ".", "..", "%2e%2e"].includes(each) && isDecodable(each))
    return { text, isRegular }
  })
}

const isDecodable = (segment: string): boolean => {
  try {
    decodeURIComponent(segment)
    return true
  } catch {
    return false
  }
}

const queryOf = ({ ids }: Stock, { parameters }: Operation): fc.Arbitrary<string> => {
  const pairs = parameters.filter((parameter) => parameter.in === "query").map(({ name, schema }) => {
    const value = fc.oneof(
      arbitraryInput(schema).map(String),
      fc.constantFrom(...ids),
      fc.constantFrom("1", "200", "201", "0", "ok", "error", "active", "gsc", "1e2", "0x10", " 5")
    )
    return fc.tuple(fc.constant(name), value)
  })
  const unknown = fc.tuple(hostileText, hostileText)
  const some = pairs.length === 0 ? none : fc.array(fc.oneof(...pairs), { maxLength: 4 })
  return fc.tuple(some, mostly(none, fc.array(unknown, { maxLength: 2 }))).map(([known, more]) =>
    [...known, ...more].map((pair) => pair.map(encoded).join("=")).join("&")
  )
}

const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xFF }).filter((code) => code !== 0x7F).map((code) => String.fromCharCode(code)),
  maxLength: 40
})

const odd = fc.constantFrom<readonly [string, string]>(
  ["content-encoding", "gzip"],
  ["content-encoding", "br, deflate"],
  ["accept", "text/html"],
  ["x-http-method-override", "DELETE"],
  ["x-forwarded-host", "evil.example"],
  ["forwarded", "for=\"[::1]\";host=evil.example"],
  ["traceparent", "00-zz-zz-01"],
  ["cookie", "__proto__=1; a=\"\\"],
  ["x-call-id", "call_00000000000000000000000000"],
  ["host", "evil.example:99999"],
  ["authorization", "Bearer a b"],
  ["authorization", "Basic b2E6b2E="],
  ["authorization", `Bearer ${"x".repeat(6_000)}`]
)

const headersOf = (
  { credentials }: Stock,
  { schemes: [scheme] }: Operation
): fc.Arbitrary<Readonly<Record<string, string>>> => {
  const [good, ...others] = scheme === undefined ? [""] : credentials[scheme] ?? [""]
  const credential = fc.oneof(
    { arbitrary: fc.constant(good), weight: 20 },
    { arbitrary: fc.constantFrom(good, ...others), weight: 2 },
    { arbitrary: headerText, weight: 1 }
  )
  const type = fc.oneof(
    { arbitrary: fc.constant("application/json"), weight: 8 },
    {
      arbitrary: fc.constantFrom(
        "application/json; charset=utf-16",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/cbor",
        ";",
        ""
      ),
      weight: 1
    }
  )
  return fc.tuple(credential, type, mostly(none, fc.array(odd, { maxLength: 2 }))).map((
    [token, type, more]
  ) => ({ authorization: `Bearer ${token}`, "content-type": type, ...Object.fromEntries(more) }))
}

const bodyOf = (stock: Stock, operation: Operation): fc.Arbitrary<Buffer | undefined> => {
  const samples = stock.bodies[operation.name] ?? []
  const value = operation.name === "POST /v1/call"
    ? callOf(stock)
    : fc.oneof(
      arbitraryInput(operation.body),
      ...(samples.length === 0 ? [] : [fc.constantFrom(...samples), nearlyValid(samples)])
    )
  const body = value.chain(bytesOf)
  return operation.body === undefined ? mostly(fc.constant(undefined), body) : body
}

const callOf = ({ ids, inputs }: Stock): fc.Arbitrary<unknown> => {
  const samples = [...reads, ...writes]
  const input = fc.oneof(
    { arbitrary: fc.constantFrom(...samples), weight: 2 },
    {
      arbitrary: fc.constantFrom(...samples).chain((call) =>
        nearlyValid([call.input ?? {}]).map((input): object => ({ ...call, input }))
      ),
      weight: 4
    },
    {
      arbitrary: fc.constantFrom(...inputs).chain(({ call, schema }) =>
        arbitraryInput(schema).map((input): object => ({ ...call, input }))
      ),
      weight: 6
    },
    { arbitrary: nearlyValid(samples).map(Object), weight: 1 }
  )
  const more = fc.oneof(
    { arbitrary: fc.constant({}), weight: 4 },
    { arbitrary: fc.integer({ min: 0, max: 600 }).map((max_age) => ({ max_age })), weight: 2 },
    { arbitrary: fc.constantFrom(...ids).map((connection_id) => ({ connection_id })), weight: 1 },
    { arbitrary: hostileValue.map((max_age) => ({ max_age })), weight: 1 },
    { arbitrary: hostileValue.map((connection_id) => ({ connection_id })), weight: 1 }
  )
  return fc.tuple(input, more).map(([call, more]) => ({ ...call, ...more }))
}

const bytesOf = (value: unknown): fc.Arbitrary<Buffer> => {
  const text = Predicate.isUndefined(value) ? "" : JSON.stringify(value)
  const at = fc.nat(Math.max(0, text.length - 1))
  const changed: ReadonlyArray<fc.Arbitrary<Buffer>> = [
    at.map((index) => Buffer.from(text.slice(0, index))),
    fc.tuple(at, fc.integer({ min: 0, max: 255 })).map(([index, byte]) =>
      Buffer.concat([Buffer.from(text.slice(0, index)), Buffer.of(byte), Buffer.from(text.slice(index))])
    ),
    fc.constantFrom("__proto__", "provider", "input", "constructor", "name").map((name) =>
      Buffer.from(text.replace("{", `{"${name}":{"a":1},"${name}":"b",`))
    ),
    fc.constantFrom("1e999", "-1e999", "-0", "123456789012345678901234567890", "1e-400", "0.1e1").map((number) =>
      Buffer.from(text.replace(/(?<=[:[,])(?:-?\d[\d.eE+-]*|"[^"\\]{0,9}"|null|true|false)(?=[,\]}])/, number))
    ),
    fc.constant(Buffer.from(text, "utf16le")),
    fc.constant(Buffer.from(`\uFEFF${text}`)),
    fc.constant(Buffer.from(text, "latin1")),
    fc.constantFrom("\\ud800", "\\u0000", "\\ud83d\\ud83d", "\\uFFFF").map((escape) =>
      Buffer.from(text.replace(/"(?=[,}\]])/, `${escape}"`))
    ),
    hostileText.map((more) => Buffer.from(text + more)),
    fc.constantFrom("", " ", "null", "\"\"", "0", "{}", "[]", "{", "undefined", "\0").map((all) => Buffer.from(all))
  ]
  return fc.oneof(
    { arbitrary: fc.constant(Buffer.from(text)), weight: 60 },
    ...changed.map((arbitrary) => ({ arbitrary, weight: 1 }))
  )
}
