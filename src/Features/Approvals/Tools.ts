import { Effect, Schema } from "effect"
import { ApprovalRequired } from "../../Api/Errors/WriteErrors.ts"
import { agentTool } from "../../Calls/AgentTools/AgentTools.ts"
import { decodeArguments } from "../../Calls/AgentTools/ToolArguments.ts"
import { ApprovedCalls } from "./ApprovedCalls.ts"
import { Approval } from "./Contract.ts"

const decode = decodeArguments(Schema.Struct({
  approval: Schema.String,
  wait: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 })))
}))

const encode = Schema.encodeSync(Schema.toCodecJson(Approval))

export const getApprovalTool = agentTool(Effect.map(ApprovedCalls, (approvals) => ({
  name: "get_approval",
  place: 70,
  describe: ({ principal }) =>
    principal.access === "read_only" ? undefined : {
      title: "Wait for an approval",
      description:
        "Shows what a person has decided about a write that got approval_required, and the response once it is " +
        "sent.",
      properties: {
        approval: { type: "string", description: "Its `approval_id`." },
        wait: { type: "integer", maximum: 30, description: "Seconds." }
      },
      required: ["approval"],
      openWorld: false
    },
  run: Effect.fnUntraced(function*(args, { principal }) {
    const { approval, wait = 0 } = yield* decode(args)
    return { json: JSON.stringify(encode(yield* approvals.get(principal, approval, wait))), askForLess: "" }
  }),
  question: (error) => {
    if (!(error instanceof ApprovalRequired) || error.details === undefined) return undefined
    const { approval_id: id, url } = error.details
    return {
      id,
      url,
      message: error.agentMessage ?? error.message,
      wait: (principal, seconds) =>
        Effect.map(approvals.await(principal, id, seconds), ({ createdAt, status }) => ({
          askedAt: createdAt,
          isDecided: status !== "pending" && status !== "approved"
        }))
    }
  }
})))
