import { Effect, Record } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { callExamples } from "../../Api/Calls/CallExamples.ts"
import { type Groups, served } from "../../Api/Group.ts"
import { addExamples, describeDocument } from "../../Api/Responses.ts"
import type { Catalog } from "../../Providers/Catalog/Catalog.ts"
import { callSchemas } from "./CallSchemas.ts"

export const documentedApi = Effect.fn("documentedApi")(function*(
  groups: Groups,
  catalog: Catalog["Service"],
  stepFields: ReadonlySet<string>
) {
  const calls = yield* callSchemas(catalog, stepFields)
  const describeCall = addExamples(examplesOf(catalog))
  return served(groups).annotate(OpenApi.Transform, (document) => {
    const { components, paths, ...rest } = describeDocument(document)
    return {
      ...rest,
      paths: { ...paths, "/v1/call": Record.map(paths["/v1/call"], describeCall) },
      components: { ...components, schemas: { ...components.schemas, ...calls } }
    }
  })
})

export type DocumentedApi = Effect.Success<ReturnType<typeof documentedApi>>

const examplesOf = ({ providers }: Catalog["Service"]) => {
  const isKnown = new Set(providers.map(({ id }) => id))
  return Record.fromEntries(
    callExamples.flatMap(({ summary, value }) =>
      isKnown.has(value.provider) ? [[value.tool ?? value.endpoint ?? "", { summary, value }]] : []
    )
  )
}
