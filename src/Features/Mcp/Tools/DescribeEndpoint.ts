import { Effect, Schema } from "effect"
import { type EndpointNotFound, InvalidInput, type ProviderNotFound } from "../../../Api/Errors.ts"
import { decodeArguments } from "../../../Calls/AgentTools/ToolArguments.ts"
import { nameNearest } from "../../../Domain/Text/Nearest.ts"
import type { Catalog } from "../../../Providers/Catalog/Catalog.ts"
import { describeSchema, partNames } from "./EndpointParts.ts"

const decode = decodeArguments(Schema.Struct({
  provider: Schema.String,
  endpoint: Schema.String,
  part: Schema.optionalKey(Schema.String)
}))

export const describeEndpoint = Effect.fnUntraced(function*(
  catalog: Catalog["Service"],
  args: unknown
): Effect.fn.Return<object, InvalidInput | ProviderNotFound | EndpointNotFound> {
  const { endpoint: id, part, provider: providerId } = yield* decode(args)
  const provider = yield* catalog.provider(providerId)
  const operation = yield* catalog.endpoint(provider, id)
  const { description, method, origin, path, writes } = operation.endpoint
  const schema = operation.inputSchema()
  const example = provider.examples?.[id]
  const described = describeSchema(schema, part, example)
  if (described === undefined) return yield* unknownPart(part ?? "", partNames(schema))
  return {
    provider: provider.id,
    endpoint: id,
    ...part === undefined
      ? {
        description,
        method,
        url: `${origin.url}${path}`,
        writes,
        call_with: callerOf(writes),
        ...example === undefined ? {} : { example }
      }
      : { part },
    ...described.parts.length === 0 ? {} : {
      note: "The schema leaves the `parts` out" + (part === undefined ? " and has short descriptions" : "") +
        ": call describe_endpoint again with one, or with a name of `$defs`, as `part`.",
      parts: Object.fromEntries(described.parts.map(({ description, name }) => [name, description]))
    },
    [part === undefined ? "input_schema" : "schema"]: described.schema
  }
})

export const callerOf = (writes: boolean) => writes ? "call_write_endpoint" : "call_read_endpoint"

const unknownPart = (part: string, names: ReadonlyArray<string>) => {
  const hint = names.length === 0
    ? "The schema has no parts: leave `part` out."
    : `The nearest are ${nameNearest(part, names, (name) => name)}.`
  return InvalidInput.at("part", `There is no such part. ${hint}`)
}
