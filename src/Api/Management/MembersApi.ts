import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Member, MemberChange, NewMember } from "../../Domain/Member.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"
import { ManagerRequired } from "../Authentication.ts"
import { group } from "../Group.ts"
import { ClientNotFound, EmailTaken, LastAdmin, MemberNotFound } from "../ManagementErrors.ts"
import { JsonRequestBody } from "../Middleware.ts"
import { Created, operation, pagesOf } from "../Responses.ts"

export class MembersApi extends group("members", { title: "Management: members", listener: "admin" })
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: NewMember,
      success: Member.pipe(Created),
      error: [ClientNotFound.schema, EmailTaken.schema]
    }).middleware(JsonRequestBody).annotateMerge(
      operation("createMember", "Create a member", {
        email: "ada@example.com",
        name: "Ada",
        client_ids: ["cli_01k9z3m7q4f8s6v2x0c5b1n8ty"]
      })
    ),
    pagesOf("members", Member).annotateMerge(operation("listMembers", "List the members, newest first")),
    HttpApiEndpoint.patch("change", "/:id", {
      params: { id: Lookup },
      payload: MemberChange,
      success: Member,
      error: [MemberNotFound.schema, ClientNotFound.schema, EmailTaken.schema, LastAdmin.schema]
    }).middleware(JsonRequestBody).annotateMerge(
      operation("changeMember", "Change a member. Its keys and grants get the new limits immediately", { name: "Ada" })
    ),
    HttpApiEndpoint.delete("delete", "/:id", {
      params: { id: Lookup },
      success: HttpApiSchema.NoContent,
      error: [MemberNotFound.schema, LastAdmin.schema]
    }).annotateMerge(operation("deleteMember", "Delete a member, revoke its keys and grants and end its sessions"))
  )
  .middleware(ManagerRequired)
  .prefix("/admin/v1/members")
{}
