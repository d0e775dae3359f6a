import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Client } from "../../Domain/Client.ts"
import { Cursor, PageRequest } from "../../Domain/Page.ts"
import { Name } from "../../Domain/Validation/Fields.ts"
import { ManagerRequired } from "../Authentication.ts"
import { InvalidInput } from "../Errors.ts"
import { Listener } from "../Listener.ts"
import { ErrorResponses, JsonRequestBody } from "../Middleware.ts"
import { Created, operation } from "../Responses.ts"
import { Right } from "../Right.ts"

export class ClientsApi extends HttpApiGroup.make("clients")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: Schema.Struct({ name: Name }),
      success: Client.pipe(Created)
    }).middleware(JsonRequestBody).annotateMerge(operation("createClient", "Create a client", { name: "Fernhill" })),
    HttpApiEndpoint.get("list", "/", {
      query: PageRequest,
      success: Schema.Struct({ clients: Schema.Array(Client), cursor: Cursor }),
      error: InvalidInput.schema
    }).annotate(Right, "member").annotateMerge(operation("listClients", "List the clients, newest first"))
  )
  .middleware(ManagerRequired)
  .middleware(ErrorResponses)
  .prefix("/admin/v1/clients")
  .annotate(Listener, "admin")
  .annotateMerge(OpenApi.annotations({ title: "Management: clients" }))
{}
