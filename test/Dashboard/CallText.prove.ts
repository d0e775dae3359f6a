import { afterAll, assert, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runInNewContext } from "node:vm"
import type { CallRequest } from "../../src/Api/Calls/CallApi.ts"
import { createClient } from "../../src/Client/Client.ts"
import { curlOf, oaOf, typescriptOf } from "../../src/Dashboard/Parts/CallText.ts"
import { providers } from "../../src/Registrations.ts"

const origin = "http://localhost:8787"

it("a call copied as TypeScript names a function that the client has", () => {
  const oa = createClient({ baseUrl: origin, apiKey: "oa_key" })
  const functionAt = (path: string) =>
    path.split(".").reduce<unknown>((value, name) => Reflect.get(Object(value), name), oa)
  for (const { endpoints, id: provider, tools } of providers) {
    const operations = [
      ...endpoints.map(({ id }) => ({ endpoint: id })),
      ...tools.map(({ name }) => ({ tool: name }))
    ]
    for (const operation of operations) {
      const [, path = ""] = /await oa\.([\w.]+)\(/.exec(typescriptOf(origin, { provider, ...operation })) ?? []
      assert.isFunction(functionAt(path), `${provider} ${JSON.stringify(operation)}: ${path}`)
    }
  }
})

const hostile = [
  "$(touch pwned)",
  "`touch pwned`",
  "; touch pwned #",
  "\n touch pwned\n",
  "\r\ntouch pwned\r\n",
  "' ; touch pwned ; '",
  "'\\'' ; touch pwned ; '",
  "\" ; touch pwned ; \"",
  "& touch pwned &",
  "| touch pwned",
  "> pwned",
  "!!",
  "!touch",
  "$OA_KEY",
  "~",
  "*",
  "\\",
  "",
  "--url=http://attacker.example",
  "-o pwned",
  "@/etc/passwd",
  "a\u2028touch pwned\u2029b",
  "\u0003\u0015\u001b[201~touch pwned\u0085\u009b",
  "\"}); touch(); ({\"a\":\"",
  "${touch()}",
  "*/ touch() /*"
]

const folder = mkdtempSync(join(tmpdir(), "copied-"))
const work = mkdtempSync(join(tmpdir(), "pasted-"))
afterAll(() => [folder, work].forEach((each) => rmSync(each, { recursive: true })))

for (const name of ["npx", "curl"]) {
  const path = join(folder, name)
  writeFileSync(path, "#!/bin/sh\nprintf '%s\\0' \"$OA_URL\" \"$@\" 'end of line'\n")
  chmodSync(path, 0o700)
}

/** The words of each line, which one shell reads. */
const wordsOf = (lines: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  execFileSync("/bin/sh", ["-c", lines.join("\n")], {
    cwd: work,
    encoding: "utf8",
    env: { PATH: `${folder}:/bin:/usr/bin`, OA_KEY: "oa_key" }
  }).split("\0end of line\0").slice(0, -1).map((line) => line.split("\0"))

const requestsOf = (value: string): ReadonlyArray<CallRequest> => [
  { provider: value, tool: value, input: { [value]: value }, connection_id: value, max_age: 60 },
  { provider: value, endpoint: value, input: { body: [value] }, connection_id: value }
]

it("a copied line for the shell runs one command, whatever the values are", () => {
  const requests = hostile.flatMap(requestsOf)
  const curls = wordsOf(requests.map((request) => curlOf(origin, request)))
  const calls = wordsOf(requests.map((request) => oaOf(origin, request)))
  requests.forEach((request, index) => {
    const [, ...curl] = curls[index] ?? []
    const sent = ["-s", `${origin}/v1/call`, "-H", "Authorization: Bearer oa_key", "-d"]
    assert.deepStrictEqual(curl.slice(0, -1), sent)
    assert.deepStrictEqual(JSON.parse(curl.at(-1) ?? ""), request)

    const { connection_id, endpoint, input, max_age, provider, tool } = request
    const flags = [
      ...connection_id ? [`--connection=${connection_id}`] : [],
      ...max_age === undefined ? [] : [`--max-age=${max_age}`]
    ]
    const names = [provider, endpoint ?? tool ?? ""]
    const words = calls[index] ?? []
    assert.deepStrictEqual(
      words.filter((word) => !word.startsWith("--input=")),
      [origin, "oa", "call", ...provider.startsWith("-") ? [...flags, "--", ...names] : [...names, ...flags]]
    )
    const given = words.find((word) => word.startsWith("--input="))?.slice("--input=".length) ?? ""
    assert.deepStrictEqual(JSON.parse(given), input)
  })
  assert.lengthOf([...curls, ...calls], 2 * requests.length)
  assert.deepStrictEqual(readdirSync(work), [])
})

it("copied TypeScript makes one call, whatever the values are", async () => {
  for (const request of hostile.flatMap(requestsOf)) {
    const calls: Array<{ readonly names: ReadonlyArray<string>; readonly given: ReadonlyArray<unknown> }> = []
    const clientAt = (names: ReadonlyArray<string>): object =>
      new Proxy(() => undefined, {
        get: (_, name) => clientAt([...names, String(name)]),
        apply: (_, __, given) => {
          calls.push({ names, given: JSON.parse(JSON.stringify(given)) })
          return { data: null }
        }
      })
    const touched: Array<string> = []
    await runInNewContext(`(async () => {${typescriptOf(origin, request).replace(/^import .*\n/, "")}})()`, {
      createClient: ({ baseUrl }: { readonly baseUrl: string }) => {
        assert.strictEqual(baseUrl, origin)
        return clientAt([])
      },
      console: { log: () => undefined },
      process: { env: {} },
      touch: () => touched.push("touched")
    })
    assert.deepStrictEqual(touched, [])
    assert.lengthOf(calls, 1)
    assert.strictEqual(calls[0]?.names[0], request.provider)
    assert.deepStrictEqual(calls[0]?.given, [request.input, {
      connectionId: request.connection_id,
      ...request.max_age !== undefined && { maxAge: request.max_age }
    }])
  }
})
