import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Client } from "../Domain/Client.ts"
import { Name } from "../Domain/Fields.ts"
import { Cursor, PageRequest } from "../Domain/Page.ts"
import { AdminTokenRequired } from "./Authentication.ts"
import { ErrorBody, JsonBody } from "./ErrorBody.ts"
import { InvalidInput } from "./Errors.ts"
import { Created } from "./Fields.ts"

export class ClientsApi extends HttpApiGroup.make("clients")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: Schema.Struct({ name: Name }),
      success: Client.pipe(Created)
    }).middleware(JsonBody).annotate(OpenApi.Summary, "Create a client"),
    HttpApiEndpoint.get("list", "/", {
      query: PageRequest,
      success: Schema.Struct({ clients: Schema.Array(Client), cursor: Cursor }),
      error: InvalidInput.schema
    }).annotate(OpenApi.Summary, "List the clients, newest first")
  )
  .middleware(AdminTokenRequired)
  .middleware(ErrorBody)
  .prefix("/admin/v1/clients")
  .annotateMerge(OpenApi.annotations({ title: "Management: clients" }))
{}
