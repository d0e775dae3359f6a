import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Client, ClientChange, NewClient } from "../../Domain/Client.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"
import { ManagerRequired } from "../Authentication.ts"
import { InvalidInput } from "../Errors.ts"
import { group } from "../Group.ts"
import { ClientInUse, ClientNotFound } from "../ManagementErrors.ts"
import { JsonRequestBody } from "../Middleware.ts"
import { Created, operation, pagesOf } from "../Responses.ts"
import { Right } from "../Right.ts"

export class ClientsApi extends group("clients", { title: "Management: clients", listener: "admin" })
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: NewClient,
      success: Client.pipe(Created)
    }).middleware(JsonRequestBody).annotateMerge(operation("createClient", "Create a client", { name: "Fernhill" })),
    pagesOf("clients", Client).annotate(Right, "member").annotateMerge(
      operation("listClients", "List the clients, newest first")
    ),
    HttpApiEndpoint.patch("change", "/:id", {
      params: { id: Lookup },
      payload: ClientChange,
      success: Client,
      error: ClientNotFound.schema
    }).middleware(JsonRequestBody).annotateMerge(operation("changeClient", "Rename a client", { name: "Fernhill" })),
    HttpApiEndpoint.delete("delete", "/:id", {
      params: { id: Lookup },
      query: {
        revoke: Schema.Literals(["true", "false"]).annotate({
          description: "Revoke the client's connections first, also at their providers.",
          default: "false"
        }).pipe(Schema.optionalKey)
      },
      success: HttpApiSchema.NoContent,
      error: [ClientNotFound.schema, ClientInUse.schema, InvalidInput.schema]
    })
      .annotateMerge(operation("deleteClient", "Delete a client that has no active connections"))
      .annotate(
        OpenApi.Description,
        "Its open connect links end, members lose it from their `client_ids`, and credentials of its expired " +
          "connections are deleted. Revoked connections and logged calls keep its id."
      )
  )
  .middleware(ManagerRequired)
  .prefix("/admin/v1/clients")
{}
