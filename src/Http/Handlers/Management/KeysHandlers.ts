import { Clock, Effect, Schema, Struct } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../../Api/CoreApi.ts"
import { parseResources, withReadResources } from "../../../Connections/Bounds/ReadResources.ts"
import { KeyChange, NewApiKey } from "../../../Domain/Access/ApiKey.ts"
import { type Issue, issuesIn } from "../../../Domain/Validation/Issue.ts"
import { Keys } from "../../../Management/Keys.ts"
import { Catalog } from "../../../Providers/Catalog/Catalog.ts"
import { bodyReader } from "../ReadBody.ts"

export const KeysHandlers = HttpApiBuilder.group(
  CoreApi,
  "keys",
  Effect.fn(function*(handlers) {
    const keys = yield* Keys
    const catalog = yield* Catalog

    const issuesOfChange = ({ expires_at = null, resources = null }: KeyChange) =>
      Effect.map(Clock.currentTimeMillis, (now): ReadonlyArray<Issue> => [
        ...expires_at === null || expires_at.getTime() > now ? [] : [past],
        ...issuesIn(parseResources(catalog, resources))
      ])
    const readKey = bodyReader(
      NewApiKey,
      NewApiKey.mapFields(Struct.map(Schema.optionalKey)),
      (fields, sent) =>
        Effect.map(
          issuesOfChange(fields),
          (issues) => "member_id" in sent === "client_id" in sent ? [withoutOwner, ...issues] : issues
        )
    )
    const readChange = bodyReader(KeyChange, KeyChange, issuesOfChange)

    return handlers
      .handleRaw("create", ({ request }) =>
        readKey(request).pipe(
          Effect.flatMap((key) => withReadResources(catalog, key)),
          Effect.flatMap(keys.create)
        ))
      .handleRaw("change", ({ params, request }) =>
        readChange(request).pipe(
          Effect.flatMap((change) => withReadResources(catalog, change)),
          Effect.flatMap((change) => keys.change(params.id, change))
        ))
      .handleAll({
        list: ({ query }) => Effect.map(keys.list(query), ({ cursor, items }) => ({ keys: items, cursor })),
        revoke: ({ params }) => keys.revoke(params.id)
      })
  })
)

const withoutOwner: Issue = { path: ["member_id"], message: "Expected either `member_id` or `client_id`" }

const past: Issue = { path: ["expires_at"], message: "Expected a time in the future" }
