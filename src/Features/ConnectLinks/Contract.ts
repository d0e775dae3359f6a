import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { ManagerOrKeyRequired } from "../../Api/Authentication.ts"
import { ConnectionNotFound, ProviderNotFound } from "../../Api/Errors.ts"
import { group, served } from "../../Api/Group.ts"
import { ClientNotFound, ConnectionDerived, LinkNotFound } from "../../Api/ManagementErrors.ts"
import { JsonRequestBody } from "../../Api/Middleware.ts"
import { Created, operation, pagesOf } from "../../Api/Responses.ts"
import { Area, Right } from "../../Api/Right.ts"
import { ConnectLink, CreatedConnectLink, NewConnectLink } from "../../Domain/ConnectLink.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"
import { ConnectPagesGroup } from "./Visits/ConnectPagesGroup.ts"

export class ConnectLinksGroup extends group("connectLinks", { title: "Management: connect links", listener: "admin" })
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: NewConnectLink,
      success: CreatedConnectLink.pipe(Created),
      error: [ProviderNotFound.schema, ClientNotFound.schema, ConnectionNotFound.schema, ConnectionDerived.schema]
    }).middleware(JsonRequestBody).annotateMerge(
      operation("createConnectLink", "Create a link to a page where the account's owner connects accounts", {
        client_id: "cli_01k9z3m7q4f8s6v2x0c5b1n8ty",
        providers: ["gsc", "ga4"]
      })
    ),
    pagesOf("connect_links", ConnectLink).annotateMerge(
      operation("listConnectLinks", "List the connect links, newest first")
    ),
    HttpApiEndpoint.delete("end", "/:id", {
      params: { id: Lookup },
      success: ConnectLink,
      error: LinkNotFound.schema
    }).annotateMerge(operation("endConnectLink", "End a connect link; its connections stay"))
  )
  .annotateEndpoints(Right, "member")
  .annotateEndpoints(Area, "connect_links")
  .middleware(ManagerOrKeyRequired)
  .prefix("/admin/v1/connect-links")
{}

export class ConnectLinksApi extends served([ConnectLinksGroup, ConnectPagesGroup]) {}
