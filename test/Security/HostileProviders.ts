import * as fc from "fast-check"
import { hostileValue } from "../support/Hostile.ts"
import type { Handler, Reply } from "../support/LoopbackUpstream.ts"

type Answer = ReturnType<Handler>

const plausible: ReadonlyArray<unknown> = [
  {},
  { siteEntry: [{ siteUrl: "sc-domain:example.com", permissionLevel: "siteOwner" }] },
  { rows: [{ keys: ["shoes"], clicks: 3, impressions: 40, ctr: 0.075, position: 8.5 }] },
  { d: [{ Query: "shoes", Clicks: 1, Impressions: 2, Date: "/Date(1600000000000)/" }] },
  { sheets: [{ properties: { title: "Sheet1", sheetId: 0, gridProperties: { rowCount: 10, columnCount: 3 } } }] },
  { range: "Sheet1!A1:B2", values: [["a", "b"], [1, 2]] },
  {
    documentId: "d",
    title: "Plan",
    revisionId: "r",
    body: { content: [{ endIndex: 2, startIndex: 1, paragraph: { elements: [] } }] }
  },
  { dimensionHeaders: [{ name: "date" }], metricHeaders: [{ name: "sessions" }], rows: [], rowCount: 0 }
]

const status = fc.oneof(
  { arbitrary: fc.constant(200), weight: 6 },
  {
    arbitrary: fc.constantFrom(201, 204, 206, 301, 302, 307, 400, 403, 404, 409, 418, 429, 451, 500, 501, 511, 599),
    weight: 2
  }
)

const headers = fc.constantFrom<Readonly<Record<string, string>>>(
  {},
  { location: "http://evil.example/" },
  { "retry-after": "99999999999999999999" },
  { "retry-after": "Thu, 99 Foo" },
  { "content-type": "text/html" },
  { "content-encoding": "gzip" },
  { "content-encoding": "br" },
  { "set-cookie": "a=b" },
  { "content-type": "application/json; charset=utf-16" }
)

const raw = fc.constantFrom<string | Buffer>(
  "",
  "null",
  "{",
  "<html>502</html>",
  "1e999",
  "{\"a\":1e999,\"a\":2}",
  "{\"__proto__\":{\"status\":200},\"error\":{\"message\":{\"toString\":1}}}",
  "{\"error\":{\"code\":\"\\u0000\\ud800\",\"message\":\"\\u0000\\ud800\",\"status\":[]}}",
  "{\"error\":\"invalid_grant\\u0000\",\"error_description\":\"\\ud800\"}",
  `{"d":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
  `${"{\"error\":".repeat(20_000)}1${"}".repeat(20_000)}`,
  JSON.stringify({ rows: Array.from({ length: 5_000 }, () => ({ keys: ["\0", "x"], clicks: 1e308 })) }),
  Buffer.from([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]),
  Buffer.from([0x1F, 0x8B, 0, 0, 0])
)

const reply: fc.Arbitrary<Reply> = fc.oneof(
  fc.record({ body: fc.constantFrom(...plausible) }),
  fc.record({ status, headers, body: fc.oneof(fc.constantFrom(...plausible), hostileValue, raw) })
)

const broken: Answer = (response) => void response.destroy()
const cutOff: Answer = (response) => {
  response.writeHead(200, { "content-length": "100" })
  response.write("{", () => response.destroy())
}

const answer: fc.Arbitrary<Answer> = fc.oneof(
  { arbitrary: reply, weight: 60 },
  { arbitrary: fc.constantFrom(broken, cutOff), weight: 1 }
)

export const hostileProviders = (seed: number): Handler => {
  const answers = fc.sample(answer, { numRuns: 997, seed })
  let count = 0
  return ({ url }) => {
    const next = answers[count++ % answers.length] ?? {}
    const token = /^\/\w+Token/.test(url)
    return token && count % 10 > 0 ? { body: { access_token: `ya29.fuzz-${count}`, expires_in: 3600 } } : next
  }
}
