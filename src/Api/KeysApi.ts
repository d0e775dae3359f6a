import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { KeyId, MemberId } from "../Domain/Ids.ts"
import { AdminTokenRequired } from "./Authentication.ts"
import { ErrorBody, JsonBody } from "./ErrorBody.ts"
import { InvalidInput, KeyNotFound, MemberNotFound } from "./Errors.ts"
import { Created, Cursor, Lookup, Name, Page, Timestamp } from "./Fields.ts"

export const KeyAccess = Schema.Literals(["read_only", "read_write"]).annotate({
  description: "A read-only key cannot call operations that write."
})
export type KeyAccess = typeof KeyAccess.Type

export const Key = Schema.Struct({
  id: KeyId,
  member_id: MemberId,
  name: Schema.String,
  access: KeyAccess,
  hint: Schema.String.annotate({ description: "The last four characters of the secret." }),
  last_used_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  revoked_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Key" })
export type Key = typeof Key.Type

export const NewKey = Schema.Struct({
  member_id: Lookup,
  name: Name,
  access: KeyAccess.annotate({ default: "read_only" }).pipe(Schema.optionalKey)
})
export type NewKey = typeof NewKey.Type

export const CreatedKey = Schema.Struct({
  ...Key.fields,
  key: Schema.String.annotate({ description: "The secret, `oa_…`; shown this once." })
}).annotate({ identifier: "CreatedKey" })
export type CreatedKey = typeof CreatedKey.Type

export class KeysApi extends HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: NewKey,
      success: CreatedKey.pipe(Created),
      error: MemberNotFound.schema
    }).middleware(JsonBody).annotate(OpenApi.Summary, "Create an API key; read-only unless told otherwise"),
    HttpApiEndpoint.get("list", "/", {
      query: Page,
      success: Schema.Struct({ keys: Schema.Array(Key), cursor: Cursor }),
      error: InvalidInput.schema
    }).annotate(OpenApi.Summary, "List the API keys, newest first"),
    HttpApiEndpoint.delete("revoke", "/:id", {
      params: { id: Lookup },
      success: Key,
      error: KeyNotFound.schema
    }).annotate(OpenApi.Summary, "Revoke an API key; it stops working at once")
  )
  .middleware(AdminTokenRequired)
  .middleware(ErrorBody)
  .prefix("/admin/v1/keys")
  .annotateMerge(OpenApi.annotations({ title: "Management: API keys" }))
{}
