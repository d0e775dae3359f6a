import type { SmartTool } from "../Provider.ts"
import { docsAppend } from "./AppendTool.ts"
import { docsCreate } from "./CreateTool.ts"
import { docsInsert } from "./InsertTool.ts"
import { docsRead } from "./ReadTool.ts"
import { docsReplaceText } from "./ReplaceTool.ts"

export const docsTools: ReadonlyArray<SmartTool> = [docsRead, docsCreate, docsAppend, docsReplaceText, docsInsert]
