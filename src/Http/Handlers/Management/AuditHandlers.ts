import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../../Api/CoreApi.ts"
import { Audit } from "../../../Audit/Audit.ts"
import { AuditEntry } from "../../../Declared/Audit.ts"
import { makeExport } from "../Export.ts"

export const AuditHandlers = HttpApiBuilder.group(
  CoreApi,
  "audit",
  Effect.fn(function*(handlers) {
    const audit = yield* Audit
    const exportResponse = yield* makeExport

    return handlers.handleRaw("list", ({ query: { format, ...query } }) =>
      format === undefined || format === "json"
        ? Effect.map(
          audit.list(query, query),
          ({ cursor, items }) => HttpServerResponse.jsonUnsafe({ entries: items.map((entry) => toJson(entry)), cursor })
        )
        : exportResponse({
          file: "audit",
          format,
          request: query,
          list: (page) => audit.list(query, page),
          toJson,
          columns: Object.keys(cells),
          toCells: (entry) => Object.values(cells).map((cell) => cell(entry))
        }))
  })
)

const toJson = Schema.encodeSync(Schema.toCodecJson(AuditEntry))

const cells = {
  id: ({ id }: AuditEntry) => id,
  at: ({ at }: AuditEntry) => at.toISOString(),
  actor_type: ({ actor }: AuditEntry) => actor.type,
  member_id: ({ actor }: AuditEntry) => actor.member_id,
  key_id: ({ actor }: AuditEntry) => actor.key_id ?? null,
  action: ({ action }: AuditEntry) => action,
  subject_type: ({ subject }: AuditEntry) => subject.type,
  subject_id: ({ subject }: AuditEntry) => subject.id,
  address: ({ address }: AuditEntry) => address,
  details: ({ details }: AuditEntry) => JSON.stringify(details)
}
