import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import { endpointPath, toolPath } from "../../../scripts/client/Names.ts"
import { UpstreamError } from "../../../src/Api/Errors/ProviderErrors.ts"
import { createClient } from "../../../src/Client/Client.ts"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import { jsonSchemaOf } from "../../../src/Providers/Catalog/JsonSchema.ts"
import { findIssues } from "../../support/EndpointSuite.ts"
import { fakeProvider } from "../../support/FakeProvider.ts"
import { googleCalls } from "../../support/GoogleCalls.ts"
import { findDisagreements } from "../../support/InputSchema.ts"
import type { Check, Operation } from "./Check.ts"
import { ruleMessages } from "./Examples.ts"

const idOf = (operation: Operation) => "endpoint" in operation ? operation.endpoint.id : operation.tool.name

const rowOf = (operation: Operation) => "endpoint" in operation ? operation.endpoint : operation.tool

const inputsOf = (operation: Operation): ReadonlyArray<unknown> => [
  ...googleCalls.find(({ endpoint }) => endpoint === rowOf(operation))?.inputs ?? [],
  ...operation.inputs
]

const agreesWithItsSchema: Check = {
  says: "accepts documented inputs and exactly what its input_schema does, except for rules between fields",
  of: (operation) =>
    Effect.sync(() => {
      const inputs = inputsOf(operation)
      assert.isNotEmpty(inputs)
      assert.deepStrictEqual(
        findDisagreements(rowOf(operation).input, inputs, (message) => ruleMessages.test(message)),
        []
      )
    })
}

const foreign = ["key", "access_token", "oauth_token", "apikey", "alt", "callback", "$.xgafv", "uploadType"]

const refusesCredentials: Check = {
  says: "refuses query parameters that carry a credential or change the response format",
  of: (operation) =>
    "tool" in operation ? undefined : Effect.sync(() => {
      const input = Object(inputsOf(operation)[0])
      const hasNoQuery = operation.provider.id === "sitesearch" && input.query === undefined
      for (const parameter of foreign) {
        const [issue] = findIssues(operation.endpoint, { ...input, query: { ...input.query, [parameter]: "x" } })
        assert.deepStrictEqual(issue?.path, ["input", "query", ...hasNoQuery ? [] : [parameter]])
        assert.match(issue?.message ?? "", /^Unknown field/)
      }
    })
}

const hasNoUnions: Check = {
  says: "its input_schema has no unions",
  of: ({ provider: { id }, ...operation }) =>
    "tool" in operation && (id === "gdocs" || id === "sitesearch")
      ? Effect.sync(() => assert.notInclude(JSON.stringify(jsonSchemaOf(operation.tool.input)), "\"anyOf\""))
      : undefined
}

const passesErrorsOn: Check = {
  says: "fails with the provider's error",
  of: (operation) =>
    "endpoint" in operation ? undefined : Effect.gen(function*() {
      const { input, run } = operation.tool
      const refused = new UpstreamError({ status: 403, details: { error: { code: 403 } } })
      const { provider } = fakeProvider(() => Effect.fail(refused))
      const [example] = inputsOf(operation)
      const decoded = Result.getOrThrow(validator(input)(example))
      assert.strictEqual(yield* Effect.flip(run(decoded, provider)), refused)
    })
}

const isCalledByTheClient: Check = {
  says: "is called by the client under its name",
  of: (operation) =>
    Effect.gen(function*() {
      const bodies: Array<unknown> = []
      const client = createClient({
        baseUrl: "https://accounts.example",
        apiKey: "oa_key",
        fetch: async (url, init) => {
          bodies.push(await new Request(url, init).json())
          return Response.json({ data: {} })
        }
      })
      const id = idOf(operation)
      const [, input] = [{}, ...inputsOf(operation)]
      const path = [operation.provider.id, ...("tool" in operation ? toolPath(id) : endpointPath(id))]
      const call = path.reduce((value: unknown, name) => Object(value)[name], client)
      assert.isFunction(call, path.join("."))
      yield* Effect.promise(() => Object(call)(input))
      const kind = "tool" in operation ? "tool" : "endpoint"
      assert.deepStrictEqual(bodies, [{ provider: operation.provider.id, [kind]: id, input }])
    })
}

export const inputChecks = [agreesWithItsSchema, refusesCredentials, hasNoUnions, passesErrorsOn, isCalledByTheClient]
