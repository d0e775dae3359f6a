import type { ToolText } from "../../../Calls/AgentTools/AgentTools.ts"
import { tableFormats } from "../../../Domain/Table/TableText.ts"
import type { Served } from "../../../Http/Served.ts"
import type { JsonSchema } from "../../../Providers/Catalog/JsonSchema.ts"

export interface ToolDefinition {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema & { readonly type: "object" }
  readonly annotations: ToolAnnotations
}

export interface ToolAnnotations {
  readonly title: string
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

export const annotate = (title: string, hints: {
  readonly writes?: boolean
  readonly destructive?: boolean
  readonly idempotent?: boolean
  readonly openWorld?: boolean
}): ToolAnnotations => {
  const { destructive = false, openWorld = true, writes = false } = hints
  return {
    title,
    readOnlyHint: !writes,
    destructiveHint: destructive,
    idempotentHint: hints.idempotent ?? !writes,
    openWorldHint: openWorld
  }
}

export const toolDefinition = (name: string, { description, properties, required, title, ...hints }: ToolText) => ({
  name,
  title,
  description,
  inputSchema: { type: "object", properties, ...required === undefined ? {} : { required } },
  annotations: annotate(title, hints)
} satisfies ToolDefinition)

/** The fields of calls that need a feature. */
export interface ServedFields {
  readonly hasPreview: boolean
  readonly hasResults: boolean
}

export const servedFields = ({ features }: Served["Service"]): ServedFields => ({
  hasPreview: features["preview"] === true,
  hasResults: features["results"] === true
})

export const connectionId = { type: "string", description: "From list_connections, if several." } as const

export const maxAge = { type: "integer", description: "Seconds that a cached answer may be old." } as const

export const shapes = {
  select: { type: "string", description: "JMESPath over `data`." },
  format: { type: "string", enum: ["json", ...tableFormats] }
} as const
export const dryRun = { type: "boolean", description: "Only show what would change." } as const

/** The longest description in characters that usual clients accept. */
const maxDescription = 1024

export const wholeSentences = (text: string): string => {
  if (text.length <= maxDescription) return text
  const cut = text.slice(0, maxDescription)
  return cut.slice(0, cut.lastIndexOf(". ") + 1)
}
