import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../../Api/CoreApi.ts"
import { Members } from "../../../Management/Members.ts"

export const MembersHandlers = HttpApiBuilder.group(
  CoreApi,
  "members",
  Effect.fn(function*(handlers) {
    const members = yield* Members

    return handlers.handleAll({
      create: ({ payload }) => members.create(payload),
      list: ({ query }) => Effect.map(members.list(query), ({ cursor, items }) => ({ members: items, cursor })),
      change: ({ params, payload }) => members.change(params.id, payload),
      delete: ({ params }) => members.delete(params.id)
    })
  })
)
