import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { apiError } from "../../Api/ApiError.ts"
import { CallerRequired } from "../../Api/Authentication.ts"
import { InvalidInput } from "../../Api/Errors.ts"
import { ApprovalNotFound } from "../../Api/Errors/WriteErrors.ts"
import { group, served } from "../../Api/Group.ts"
import { AnswerBytes } from "../../Api/Middleware.ts"
import { operation } from "../../Api/Responses.ts"
import { shownFields } from "../../Domain/Calls/Change.ts"
import { Cursor, pagesOfEntries } from "../../Domain/Page.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"
import { ApprovalStatus, ApprovalSummary } from "./Declared.ts"

export class ApprovalStale extends apiError("ApprovalStale", {
  code: "approval_stale",
  status: 409,
  when:
    "The write would change something else than was shown; nothing was sent, and the approval shows the new changes",
  details: Schema.Struct(shownFields)
}) {}

const restricted = "Absent for callers that no longer see the connection, or whose bounds are elsewhere."

export const Approval = Schema.Struct({
  ...ApprovalSummary.fields,
  input: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: `The input of the operation. \`{ undo_of }\` for an undo. ${restricted}`
  }).pipe(Schema.optionalKey),
  changes: shownFields.changes.annotate({
    description: `What the write changes, as in its preview. An empty list means that nothing changes. ${restricted}`
  }).pipe(Schema.optionalKey),
  response: Schema.NullOr(Schema.Unknown).annotate({
    description: `The response of the call, as \`POST /v1/call\` would have returned it. ${restricted}`
  }).pipe(Schema.optionalKey)
}).annotate({ identifier: "Approval" })
export type Approval = typeof Approval.Type

const id = { id: Lookup }

export const Wait = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 })).annotate({
  description: "Seconds to wait for the decision, and then for the response."
})

export class ApprovalsGroup extends group("approvals", { title: "Approvals", listener: "both" })
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...pagesOfEntries(ApprovalSummary), status: ApprovalStatus.pipe(Schema.optionalKey) },
      success: Schema.Struct({ approvals: Schema.Array(ApprovalSummary), cursor: Cursor }),
      error: InvalidInput.schema
    }).annotateMerge(
      operation("listApprovals", "List the writes that wait for approval, newest first, with a session")
    ),
    HttpApiEndpoint.get("get", "/:id", {
      params: id,
      query: { wait: Wait.pipe(Schema.optionalKey) },
      success: Approval,
      error: [ApprovalNotFound.schema, InvalidInput.schema]
    }).annotate(AnswerBytes, 0).annotateMerge(operation("getApproval", "Get an approval, and wait for its decision")),
    HttpApiEndpoint.post("approve", "/:id/approve", {
      params: id,
      success: Approval,
      error: [ApprovalNotFound.schema, ApprovalStale.schema]
    }).annotateMerge(operation("approve", "Approve a write, with a session, and send it if it changes what was shown")),
    HttpApiEndpoint.post("deny", "/:id/deny", {
      params: id,
      success: Approval,
      error: ApprovalNotFound.schema
    }).annotateMerge(operation("deny", "Deny a write, with a session"))
  )
  .middleware(CallerRequired)
  .prefix("/v1/approvals")
{}

export class ApprovalsApi extends served([ApprovalsGroup]) {}
