import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { ClientId } from "../Domain/Ids.ts"
import { AdminTokenRequired } from "./Authentication.ts"
import { ErrorBody, JsonBody } from "./ErrorBody.ts"
import { InvalidInput } from "./Errors.ts"
import { Created, Cursor, Name, Page, Timestamp } from "./Fields.ts"

/** Whose accounts a connection gives access to: a customer, a team, a project. */
export const Client = Schema.Struct({ id: ClientId, name: Schema.String, created_at: Timestamp })
  .annotate({ identifier: "Client" })
export type Client = typeof Client.Type

export class ClientsApi extends HttpApiGroup.make("clients")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: Schema.Struct({ name: Name }),
      success: Client.pipe(Created)
    }).middleware(JsonBody).annotate(OpenApi.Summary, "Create a client"),
    HttpApiEndpoint.get("list", "/", {
      query: Page,
      success: Schema.Struct({ clients: Schema.Array(Client), cursor: Cursor }),
      error: InvalidInput.schema
    }).annotate(OpenApi.Summary, "List the clients, newest first")
  )
  .middleware(AdminTokenRequired)
  .middleware(ErrorBody)
  .prefix("/admin/v1/clients")
  .annotateMerge(OpenApi.annotations({ title: "Management: clients" }))
{}
