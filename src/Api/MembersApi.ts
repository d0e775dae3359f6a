import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { ClientId, MemberId } from "../Domain/Ids.ts"
import { AdminTokenRequired } from "./Authentication.ts"
import { ErrorBody, JsonBody } from "./ErrorBody.ts"
import { ClientNotFound, InvalidInput, MemberNotFound } from "./Errors.ts"
import { Created, Cursor, Lookup, Name, Page, Timestamp, withoutNul } from "./Fields.ts"

const ClientLimits = Schema.NullOr(Schema.Array(Lookup).check(Schema.isMaxLength(1000))).annotate({
  description: "The clients whose connections the member's keys see; `null` for no limit."
})

/** A person to whom API keys belong. */
export const Member = Schema.Struct({
  id: MemberId,
  email: Schema.String,
  name: Schema.NullOr(Schema.String),
  client_ids: Schema.NullOr(Schema.Array(ClientId)),
  created_at: Timestamp
}).annotate({ identifier: "Member" })
export type Member = typeof Member.Type

const Email = Schema.String.check(
  Schema.isMaxLength(320),
  Schema.isPattern(/^[^\s@]+@[^\s@]+$/u, { message: "Expected an e-mail address" }),
  withoutNul
)

export const NewMember = Schema.Struct({
  email: Email,
  name: Schema.NullOr(Name).pipe(Schema.optionalKey),
  client_ids: ClientLimits.pipe(Schema.optionalKey)
})
export type NewMember = typeof NewMember.Type

export const MemberChange = Schema.Struct({
  email: Email.pipe(Schema.optionalKey),
  name: Schema.NullOr(Name).pipe(Schema.optionalKey),
  client_ids: ClientLimits.pipe(Schema.optionalKey)
})
export type MemberChange = typeof MemberChange.Type

export class MembersApi extends HttpApiGroup.make("members")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: NewMember,
      success: Member.pipe(Created),
      error: ClientNotFound.schema
    }).middleware(JsonBody).annotate(OpenApi.Summary, "Create a member"),
    HttpApiEndpoint.get("list", "/", {
      query: Page,
      success: Schema.Struct({ members: Schema.Array(Member), cursor: Cursor }),
      error: InvalidInput.schema
    }).annotate(OpenApi.Summary, "List the members, newest first"),
    HttpApiEndpoint.patch("change", "/:id", {
      params: { id: Lookup },
      payload: MemberChange,
      success: Member,
      error: [MemberNotFound.schema, ClientNotFound.schema]
    }).middleware(JsonBody).annotate(OpenApi.Summary, "Change a member; its keys have the new limits at once"),
    HttpApiEndpoint.delete("delete", "/:id", {
      params: { id: Lookup },
      success: HttpApiSchema.NoContent,
      error: MemberNotFound.schema
    }).annotate(OpenApi.Summary, "Delete a member; its keys stop working")
  )
  .middleware(AdminTokenRequired)
  .middleware(ErrorBody)
  .prefix("/admin/v1/members")
  .annotateMerge(OpenApi.annotations({ title: "Management: members" }))
{}
