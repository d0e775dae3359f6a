import { assert, describe, it, layer } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Context, Effect, Predicate } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import * as Errors from "../../src/Api/Errors.ts"
import * as ProviderErrors from "../../src/Api/Errors/ProviderErrors.ts"
import * as RequestErrors from "../../src/Api/Errors/RequestErrors.ts"
import * as WriteErrors from "../../src/Api/Errors/WriteErrors.ts"
import * as ManagementErrors from "../../src/Api/ManagementErrors.ts"
import { Api } from "../../src/Features/Contracts.ts"
import { reads, writes } from "../Service/EveryOperation.ts"
import { apiDocument } from "../support/ApiDocument.ts"
import { apiRoutes } from "../support/ApiRoutes.ts"
import { TestServer } from "../support/TestServer.ts"

const features = new URL("../../src/Features/", import.meta.url)

const contracts: ReadonlyArray<Readonly<Record<string, unknown>>> = await Promise.all(
  readdirSync(features)
    .map((name) => new URL(`${name}/Contract.ts`, features))
    .filter((file) => existsSync(file))
    .map((file) => import(file.href))
)

/** The errors that the core and the features declare, by their codes. */
const apiErrors = new Map(
  [Errors, ManagementErrors, ProviderErrors, RequestErrors, WriteErrors, ...contracts].flatMap((module) =>
    Object.values(module).flatMap((each) =>
      Predicate.isFunction(each) && "code" in each && "status" in each ? [[`${each.code}`, each.status] as const] : []
    )
  )
)

// Nobody receives the other one.
const codes = [...apiErrors.keys()].filter((code) => code !== "caller_disconnected")

const codesIn = (schema: unknown): ReadonlyArray<string> =>
  JSON.stringify(schema).match(/(?<="code":\{"type":"string","enum":\[")[a-z_]+(?="\])/g) ?? []

layer(TestServer.layer, { excludeTestServices: true })("The API", (it) => {
  it.effect("has a valid OpenAPI 3.1 document", () =>
    Effect.gen(function*() {
      const { headers, json, status } = yield* (yield* TestServer).request("GET", "/openapi.json")
      assert.strictEqual(status, 200)
      assert.match(headers.get("content-type") ?? "", /^application\/json/)
      assert.match((yield* apiDocument).document.openapi, /^3\.1\./)
      const { errors, valid } = yield* Effect.promise(() => new Validator().validate(Object(json)))
      assert.isTrue(valid, JSON.stringify(errors))
    }))

  it.effect("documents every endpoint with its authentication", () =>
    Effect.gen(function*() {
      const security: Record<string, string> = {}
      const { document, operations } = yield* apiDocument
      for (const { name, schemes, summary } of operations) {
        security[name] = schemes.join()
        assert.isTrue(summary.length > 3)
      }
      for (const name of ["GET /healthz", "GET /readyz", "GET /connect/callback"]) {
        assert.strictEqual(security[name], "")
      }
      assert.strictEqual(security["POST /v1/call"], "apiKey,session")
      assert.strictEqual(security["POST /admin/v1/clients"], "adminToken,session")
      const served: Array<string> = []
      HttpApi.reflect(Api, {
        onGroup: () => {},
        onEndpoint: ({ endpoint, mergedAnnotations }) => {
          if (Context.get(mergedAnnotations, OpenApi.Exclude)) return
          const name = `${endpoint.method} ${endpoint.path.replace(/(?<=.)\/$/, "").replace(/:(\w+)/g, "{$1}")}`
          served.push(name)
          const schemes = apiRoutes.find((route) => route.name === `${endpoint.method} ${endpoint.path}`)?.schemes ?? []
          // The pipeline of calls authenticates without a middleware.
          if (!name.includes("/v1/call")) assert.strictEqual(security[name], schemes.toSorted().join(), name)
        }
      })
      assert.sameMembers(Object.keys(security), served)
      const { session, ...tokens } = document.components.securitySchemes
      assert.deepInclude(session, { type: "apiKey", in: "cookie", name: "openaccounts_session" })
      for (const { scheme, type } of Object.values(tokens)) {
        assert.deepStrictEqual([type, String(scheme).toLowerCase()], ["http", "bearer"])
      }
    }))

  it.effect("describes the input of every operation, and requires no field that has a default", () =>
    Effect.gen(function*() {
      const { complaintAbout, document: { components: { schemas } } } = yield* apiDocument
      const accepts = (call: object) => complaintAbout("CallRequest", JSON.stringify(call)) === undefined
      const text = JSON.stringify(schemas["CallRequest"])
      assert.deepStrictEqual(
        text.match(/(?<=schemas\/)\w+/g),
        "GscCall Ga4Call SitesearchCall GsheetsCall GdocsCall".split(" ")
      )
      const calls = [...reads, ...writes]
      assert.deepStrictEqual(calls.filter((call) => !accepts(call)), [])
      assert.isFalse(accepts({ provider: "gsc", tool: "gsc_top_queries", input: {} }))
      assert.isFalse(accepts({ provider: "ga4", tool: "gsc_top_queries", input: { site: "a.example" } }))
      assert.notMatch(
        JSON.stringify(Object.entries(schemas).filter(([name]) => /(?:Call|Input)$/.test(name))),
        /"default":/
      )
    }))

  it.effect("documents every error code with its body, and every schema under one name", () =>
    Effect.gen(function*() {
      const { schemas } = (yield* apiDocument).document.components
      for (const code of codes) {
        const named = Object.entries(schemas).filter(([, schema]) => codesIn(schema).includes(code))
        assert.strictEqual(named.length, 1, code)
        const [name = "", body] = named[0] ?? []
        assert.strictEqual(name, `${code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Body`)
        assert.deepStrictEqual(body?.["required"], ["call_id", "error"])
      }
      assert.deepStrictEqual(Object.keys(schemas).filter((name) => /_\d+$|Encoded$/.test(name)), [])
    }))

  it.effect("documents the codes of each status of POST /v1/call, and that upstream_error can have any status", () =>
    Effect.gen(function*() {
      const { components, paths } = (yield* apiDocument).document
      const responses = paths["/v1/call"]?.["post"]?.responses ?? {}
      const found = Object.fromEntries(
        Object.entries(responses).map(([status, { content }]) => {
          const bodies = JSON.stringify(content).match(/(?<=#\/components\/schemas\/)\w+/g) ?? []
          return [status, bodies.flatMap((name) => codesIn(components.schemas[name]))]
        })
      )
      const { upstream_error: _, ...others } = Object.fromEntries(
        Errors.callErrors.map(({ code, status }) => [code, status])
      )
      const { default: otherwise, ...statuses } = found
      assert.deepStrictEqual([otherwise, statuses["200"]], [["upstream_error"], []])
      for (const [status, codes] of Object.entries(statuses)) {
        const expected = Object.keys(others).filter((code) => `${others[code]}` === status)
        assert.sameMembers(codes, status === "200" ? [] : [...expected, "upstream_error"], status)
      }
      assert.includeMembers(Object.values(statuses).flat(), Object.keys(others))
    }))

  it.effect("documents the bounds of each limit", () =>
    Effect.gen(function*() {
      const limits = (yield* apiDocument).operations.flatMap(({ name, parameters }) =>
        parameters.flatMap(({ name: parameter, schema }) => parameter === "limit" ? [[name, schema] as const] : [])
      )
      assert.isAtLeast(limits.length, 16)
      for (const [name, schema] of limits) {
        const [maximum, usual] = name === "GET /v1/results/{id}" ? [10_000, 100] : [200, 50]
        assert.deepInclude(schema, { type: "integer", minimum: 1, maximum, default: usual }, name)
      }
    }))
})

const guide = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8")

const [, table = ""] = /\n\| code \| status \|[^\n]*\n(.+?)\n(?:\n|$)/s.exec(guide) ?? []

const rows = [...table.matchAll(/^\| (`.+?`) \| (.+?) \|/gm)].flatMap(([, codes = "", statuses = ""]) => {
  const each = statuses.split(", ")
  return codes.split(", ").map((code, index) => ({
    code: code.replaceAll("`", ""),
    status: each.length === 1 ? each[0] : each[index]
  }))
})

describe("The table of codes in the guide", () => {
  it("has the declared statuses", () => {
    assert.isAtLeast(rows.length, 30)
    for (const { code, status } of rows) {
      if (code !== "upstream_error") assert.strictEqual(status, `${apiErrors.get(code)}`, code)
    }
    assert.strictEqual(rows.find(({ code }) => code === "upstream_error")?.status, "the provider's")
  })

  it("has every code that a call can fail with, once", () => {
    const codes = rows.map(({ code }) => code)
    assert.strictEqual(new Set(codes).size, codes.length)
    const { CallerDisconnected, HeadersTooLarge, MethodNotAllowed, RouteNotFound, Unavailable } = RequestErrors
    const outside = [CallerDisconnected, HeadersTooLarge, MethodNotAllowed, RouteNotFound, Unavailable]
    assert.includeMembers(codes, [...Errors.callErrors, ...outside].map(({ code }) => code))
  })
})
