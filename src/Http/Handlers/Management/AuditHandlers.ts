import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../../Api/Api.ts"
import { Audit } from "../../../Audit/Audit.ts"

export const AuditHandlers = HttpApiBuilder.group(
  Api,
  "audit",
  Effect.fn(function*(handlers) {
    const audit = yield* Audit

    return handlers.handle(
      "list",
      ({ query }) => Effect.map(audit.list(query, query), ({ cursor, items }) => ({ entries: items, cursor }))
    )
  })
)
