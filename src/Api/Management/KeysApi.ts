import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { ApiKey, CreatedApiKey, KeyChange, NewApiKey } from "../../Domain/Access/ApiKey.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"
import { ManagerRequired } from "../Authentication.ts"
import { group } from "../Group.ts"
import { ClientNotFound, KeyNotFound, MemberNotFound } from "../ManagementErrors.ts"
import { JsonRequestBody } from "../Middleware.ts"
import { Created, operation, pagesOf } from "../Responses.ts"
import { Right } from "../Right.ts"

export class KeysApi extends group("keys", { title: "Management: API keys", listener: "admin" })
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: NewApiKey,
      success: CreatedApiKey.pipe(Created),
      error: [ClientNotFound.schema, MemberNotFound.schema]
    }).middleware(JsonRequestBody).annotateMerge(
      operation("createKey", "Create an API key, read-only by default", {
        member_id: "mem_01k9z3m7q4f8s6v2x0c5b1n8ty",
        name: "reports",
        access: "read_only"
      })
    ),
    pagesOf("keys", ApiKey).annotateMerge(operation("listKeys", "List the API keys, newest first")),
    HttpApiEndpoint.patch("change", "/:id", {
      params: { id: Lookup },
      payload: KeyChange,
      success: ApiKey,
      error: KeyNotFound.schema
    }).middleware(JsonRequestBody).annotateMerge(
      operation("changeKey", "Change an API key; it applies within one second. A revoked key cannot be changed", {
        name: "reports",
        expires_at: null
      })
    ),
    HttpApiEndpoint.delete("revoke", "/:id", {
      params: { id: Lookup },
      success: ApiKey,
      error: KeyNotFound.schema
    }).annotateMerge(operation("revokeKey", "Revoke an API key; it stops working immediately"))
  )
  .annotateEndpoints(Right, "member")
  .middleware(ManagerRequired)
  .prefix("/admin/v1/keys")
{}
