import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { CallerRequired } from "../../Api/Authentication.ts"
import { ApprovalNotFound, ApprovalStale, InvalidInput } from "../../Api/Errors.ts"
import { group } from "../../Api/Group.ts"
import { AnswerBytes } from "../../Api/Middleware.ts"
import { operation } from "../../Api/Responses.ts"
import { Cursor, PageRequest } from "../../Domain/Page.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"
import { Approval, ApprovalStatus, ApprovalSummary } from "./Declared.ts"

const id = { id: Lookup }

const Wait = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 })).annotate({
  description: "Seconds to wait for the decision, and then for the response."
})

export class ApprovalsApi extends group("approvals", { title: "Approvals", listener: "both" })
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...PageRequest, status: ApprovalStatus.pipe(Schema.optionalKey) },
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
