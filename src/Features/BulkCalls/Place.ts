import { Effect, Predicate, Result } from "effect"
import { InvalidInput } from "../../Api/Errors.ts"
import { resourceOf } from "../../Domain/Access/Resource.ts"
import type { Operation } from "../../Providers/Catalog/Operation.ts"

type Input = Readonly<Record<string, unknown>>

/** Names of resources. Each provider accepts one of them. */
const samples = ["https://example.com/", "properties/1", "1".repeat(44)]

const fieldsOf = (value: unknown): Input => Predicate.isObject(value) ? { ...value } : {}

const propertiesOf = (schema: unknown) => fieldsOf(fieldsOf(schema)["properties"])

/** `input` with the name of a resource at its place. */
export const withResource = (input: Input, [field = "", below]: ReadonlyArray<string>, name: string): Input => ({
  ...input,
  [field]: below === undefined ? name : { ...fieldsOf(input[field]), [below]: name }
})

/** Where an input names its resource: the field whose value becomes the resource of the call. */
export const placeOf = Effect.fnUntraced(function*(
  operation: Operation,
  input: Input
): Effect.fn.Return<ReadonlyArray<string>, InvalidInput> {
  const { id, resourceName } = operation.provider
  const isRaw = operation.target.startsWith("raw:")
  const places = Object.entries(propertiesOf(operation.inputSchema())).flatMap(([field, schema]) =>
    isRaw ? Object.keys(propertiesOf(schema)).map((below) => [field, below]) : [[field]]
  )
  for (const place of places) {
    for (const sample of samples) {
      const prepared = yield* Effect.result(operation.prepare(withResource(input, place, sample)))
      const name = resourceName(sample)
      if (Result.isFailure(prepared) || name === undefined) continue
      if (prepared.success.resource === resourceOf(id, name)) return place
    }
  }
  yield* operation.prepare(input)
  return yield* InvalidInput.at("resources", "The operation is about no resource, or its input names several")
})
