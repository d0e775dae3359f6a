import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as OpenApi from "effect/http-api/OpenApi"
import { NewRevocation, Revocation } from "../../Domain/Revocation.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"
import { ManagerRequired } from "../Authentication.ts"
import { ConnectionNotFound, InvalidInput, ProviderNotFound } from "../Errors.ts"
import { group } from "../Group.ts"
import { ClientNotFound, RevocationNotFound } from "../ManagementErrors.ts"
import { JsonRequestBody } from "../Middleware.ts"
import { Accepted, operation } from "../Responses.ts"

export class RevocationsApi extends group("revocations", { title: "Management: revocations", listener: "admin" })
  .add(
    HttpApiEndpoint.post("start", "/", {
      payload: NewRevocation,
      success: Revocation.pipe(Accepted),
      error: [InvalidInput.schema, ClientNotFound.schema, ProviderNotFound.schema, ConnectionNotFound.schema]
    }).middleware(JsonRequestBody)
      .annotateMerge(operation("startRevocation", "Revoke many connections at once", { provider: "gsc" }))
      .annotate(
        OpenApi.Description,
        "Calls stop at once. Then each connection is revoked at its provider, and its old token is tried, which the " +
          "provider must refuse."
      ),
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: Lookup },
      success: Revocation,
      error: RevocationNotFound.schema
    }).annotateMerge(operation("getRevocation", "Get a mass revocation, with a line for each connection"))
  )
  .middleware(ManagerRequired)
  .prefix("/admin/v1/revocations")
{}
