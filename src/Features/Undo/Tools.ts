import { Effect, Schema } from "effect"
import { agentTool } from "../../Calls/AgentTools/AgentTools.ts"
import { decodeArguments } from "../../Calls/AgentTools/ToolArguments.ts"

const decode = decodeArguments(Schema.Struct({ call_id: Schema.String }))

export const undoTool = agentTool(Effect.succeed({
  name: "undo",
  place: 80,
  // Only callers whose changes are kept can undo them.
  describe: ({ principal: { access, undo } }) =>
    access === "read_only" || undo !== true ? undefined : {
      title: "Undo a write",
      description: "Undoes a write of cells or text within 72 hours, unless it was changed since.",
      properties: { call_id: { type: "string" } },
      required: ["call_id"],
      writes: true,
      destructive: true
    },
  isCall: true,
  run: (args, { call }) =>
    Effect.flatMap(
      decode(args),
      ({ call_id }) => call({ undo: call_id }, { origin: { undo: { callId: call_id, isPreview: false } } })
    )
}))
