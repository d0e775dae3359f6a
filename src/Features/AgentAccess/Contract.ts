import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as OpenApi from "effect/http-api/OpenApi"
import { ManagerRequired } from "../../Api/Authentication.ts"
import { ConnectionNotFound } from "../../Api/Errors.ts"
import { group, served } from "../../Api/Group.ts"
import { GrantNotFound } from "../../Api/ManagementErrors.ts"
import { JsonRequestBody } from "../../Api/Middleware.ts"
import { operation, pagesOf } from "../../Api/Responses.ts"
import { Right } from "../../Api/Right.ts"
import { Grant, GrantChange } from "../../Domain/Access/Grant.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"
import { AuthorizationGroup } from "./Authorization/AuthorizationGroup.ts"

export class GrantsGroup extends group("grants", { title: "Management: grants of agents", listener: "admin" })
  .add(
    pagesOf("grants", Grant).annotateMerge(operation("listGrants", "List the grants of agents, newest first")),
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: Lookup },
      success: Grant,
      error: GrantNotFound.schema
    }).annotateMerge(operation("getGrant", "Get one grant")),
    HttpApiEndpoint.patch("change", "/:id", {
      params: { id: Lookup },
      payload: GrantChange,
      success: Grant,
      error: [GrantNotFound.schema, ConnectionNotFound.schema]
    })
      .middleware(JsonRequestBody)
      .annotateMerge(
        operation("changeGrant", "Change what an agent may do", {
          access: "read_only",
          connection_ids: ["con_01k9z3m7q4f8s6v2x0c5b1n8ty"]
        })
      )
      .annotate(
        OpenApi.Description,
        "It applies within one second. The member must see every connection. Tokens that were given for reading stay " +
          "read-only. A revoked grant cannot be changed."
      ),
    HttpApiEndpoint.delete("revoke", "/:id", {
      params: { id: Lookup },
      success: Grant,
      error: GrantNotFound.schema
    }).annotateMerge(operation("revokeGrant", "Revoke a grant; the agent's tokens stop working immediately"))
  )
  .annotateEndpoints(Right, "member")
  .middleware(ManagerRequired)
  .prefix("/admin/v1/grants")
{}

export const agentAccessGroups = [GrantsGroup, AuthorizationGroup] as const

export class AgentAccessApi extends served(agentAccessGroups) {}
