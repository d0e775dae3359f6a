import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as OpenApi from "effect/http-api/OpenApi"
import { apiError } from "../../Api/ApiError.ts"
import { ManagerRequired } from "../../Api/Authentication.ts"
import { ConnectionNotFound, InvalidInput, ProviderNotFound } from "../../Api/Errors.ts"
import { group, served } from "../../Api/Group.ts"
import { ClientNotFound } from "../../Api/ManagementErrors.ts"
import { JsonRequestBody } from "../../Api/Middleware.ts"
import { Accepted, operation } from "../../Api/Responses.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"
import { NewRevocation, Revocation } from "./Revocation.ts"

export class RevocationNotFound extends apiError("RevocationNotFound", {
  code: "revocation_not_found",
  status: 404,
  when: "There is no mass revocation with that id"
}) {}

export class RevocationsGroup extends group("revocations", { title: "Management: revocations", listener: "admin" })
  .add(
    HttpApiEndpoint.post("start", "/", {
      payload: NewRevocation,
      success: Revocation.pipe(Accepted),
      error: [InvalidInput.schema, ClientNotFound.schema, ProviderNotFound.schema, ConnectionNotFound.schema]
    }).middleware(JsonRequestBody)
      .annotateMerge(operation("startRevocation", "Revoke many connections at once", { provider: "gsc" }))
      .annotate(
        OpenApi.Description,
        "Calls stop immediately. Then each connection is revoked at its provider, and its old token is tried, which the " +
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

export class RevocationsApi extends served([RevocationsGroup]) {}
