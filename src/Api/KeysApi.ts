import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { CreatedKey, Key, NewKey } from "../Domain/ApiKey.ts"
import { Lookup } from "../Domain/Fields.ts"
import { Cursor, PageRequest } from "../Domain/Page.ts"
import { AdminTokenRequired } from "./Authentication.ts"
import { ErrorBody, JsonBody } from "./ErrorBody.ts"
import { InvalidInput, KeyNotFound, MemberNotFound } from "./Errors.ts"
import { Created } from "./Fields.ts"

export class KeysApi extends HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: NewKey,
      success: CreatedKey.pipe(Created),
      error: MemberNotFound.schema
    }).middleware(JsonBody).annotate(OpenApi.Summary, "Create an API key; read-only unless told otherwise"),
    HttpApiEndpoint.get("list", "/", {
      query: PageRequest,
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
