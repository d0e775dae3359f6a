import { assert, it } from "@effect/vitest"
import { createClient } from "../../src/Client/Client.ts"
import { oaOf, typescriptOf } from "../../src/Dashboard/Parts/CallText.ts"
import { providers } from "../../src/Server.ts"

const origin = "http://localhost:8787"

it("a call copied as TypeScript names a function that the client has", () => {
  const oa = createClient({ baseUrl: origin, apiKey: "oa_key" })
  const functionAt = (path: string) =>
    path.split(".").reduce<unknown>((value, name) => Reflect.get(Object(value), name), oa)
  for (const { endpoints, id: provider, tools } of providers) {
    for (
      const operation of [
        ...endpoints.map(({ id }) => ({ endpoint: id })),
        ...tools.map(({ name }) => ({ tool: name }))
      ]
    ) {
      const [, path = ""] = /await oa\.([\w.]+)\(/.exec(typescriptOf(origin, { provider, ...operation })) ?? []
      assert.isFunction(functionAt(path), `${provider} ${JSON.stringify(operation)}: ${path}`)
    }
  }
})

it("a copied call has its input, connection and age", () => {
  const request = {
    provider: "gsc",
    tool: "gsc_top_queries",
    input: { site: "ada's.example" },
    connection_id: "con_1",
    max_age: 60
  }
  assert.include(
    typescriptOf(origin, request),
    `oa.gsc.topQueries({\n  "site": "ada's.example"\n}, {"connectionId":"con_1","maxAge":60})`
  )
  assert.strictEqual(
    oaOf(origin, request),
    `OA_URL=http://localhost:8787 npx oa call gsc gsc_top_queries --input '{"site":"ada'\\''s.example"}' ` +
      "--connection con_1 --max-age 60"
  )
})
