import { Layer } from "effect"
import { getApprovalTool } from "./GetApproval.ts"
import { queryResultTool } from "./QueryResult.ts"
import { requestConnectionTool } from "./RequestConnection.ts"
import { undoTool } from "./Undo.ts"

/** Of capabilities that are no features yet. */
export const OtherTools = Layer.mergeAll(requestConnectionTool, queryResultTool, getApprovalTool, undoTool)
