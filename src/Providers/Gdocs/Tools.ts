import type { SmartTool } from "../Provider.ts"
import { docsAppend } from "./Tools/Append.ts"
import { docsCreate } from "./Tools/Create.ts"
import { docsInsert } from "./Tools/Insert.ts"
import { docsRead } from "./Tools/Read.ts"
import { docsReplaceText } from "./Tools/ReplaceText.ts"

export const docsTools: ReadonlyArray<SmartTool> = [docsRead, docsCreate, docsAppend, docsReplaceText, docsInsert]
