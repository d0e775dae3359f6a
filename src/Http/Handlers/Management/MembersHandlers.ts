import { Effect, Schema, Struct } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../../Api/CoreApi.ts"
import { NewMember } from "../../../Domain/Member.ts"
import { issuesOfLimits, Members } from "../../../Management/Members.ts"
import { bodyReader } from "../ReadBody.ts"

export const MembersHandlers = HttpApiBuilder.group(
  CoreApi,
  "members",
  Effect.fn(function*(handlers) {
    const members = yield* Members

    const readNew = bodyReader(
      NewMember,
      NewMember.mapFields(Struct.map(Schema.optionalKey)),
      (fields) => Effect.succeed(issuesOfLimits(fields))
    )

    return handlers.handleRaw("create", ({ request }) => Effect.flatMap(readNew(request), members.create)).handleAll({
      list: ({ query }) => Effect.map(members.list(query), ({ cursor, items }) => ({ members: items, cursor })),
      change: ({ params, payload }) => members.change(params.id, payload),
      delete: ({ params }) => members.delete(params.id)
    })
  })
)
