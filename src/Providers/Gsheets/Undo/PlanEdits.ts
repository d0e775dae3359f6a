import { Effect, Option, Schema } from "effect"
import type { ToolCallError } from "../../../Api/Errors.ts"
import { partial } from "../../Google/Message.ts"
import type { ProviderCalls } from "../../Provider.ts"
import { type EditedFile, unknownPlan, type WritePlan } from "../../Writing.ts"
import type { Tab } from "../Tabs.ts"
import { readTabs } from "./GridCells.ts"
import type { WrittenStep } from "./WrittenSteps.ts"

const SheetId = Schema.optionalKey(Schema.Int)

/** The edits with an exact inverse. */
const Invertible = Schema.Union([
  Schema.Struct({ addSheet: Schema.Struct({ properties: Schema.optionalKey(Schema.Unknown) }) }),
  Schema.Struct({
    updateSheetProperties: Schema.Struct({
      fields: Schema.Literal("title"),
      properties: Schema.Struct({ sheetId: SheetId, title: Schema.String })
    })
  }),
  Schema.Struct({
    appendDimension: Schema.Struct({
      sheetId: SheetId,
      dimension: Schema.Literals(["ROWS", "COLUMNS"]),
      length: Schema.Int
    })
  })
])

const AddedSheet = Schema.Struct({ properties: Schema.Struct({ sheetId: SheetId, title: Schema.String }) })

const Replies = Schema.Struct({ replies: Schema.Array(partial({ addSheet: AddedSheet })) })

const decodeEdits = Schema.decodeUnknownOption(Schema.Array(Invertible))
const decodeReplies = Schema.decodeUnknownOption(Replies)

export const planEdits = Effect.fnUntraced(function*(
  { edits, file }: EditedFile,
  provider: ProviderCalls
): Effect.fn.Return<WritePlan, ToolCallError> {
  const invertible = Option.getOrUndefined(decodeEdits(edits, { onExcessProperty: "error" }))
  if (invertible === undefined) return unknownPlan()
  const tabs = yield* readTabs(provider, file)
  const growsOnly = invertible.every((edit) => "appendDimension" in edit)
  return {
    changes: undefined,
    keep: ({ value }) => Effect.succeed(keptEdits(file, tabs, invertible, value)),
    ...(growsOnly ? { response: { spreadsheetId: file, replies: invertible.map(() => ({})) } } : {})
  }
})

const keptEdits = (
  file: string,
  tabs: ReadonlyArray<Tab>,
  edits: ReadonlyArray<typeof Invertible.Type>,
  response: unknown
): ReadonlyArray<WrittenStep> | undefined => {
  const replies = Option.getOrUndefined(decodeReplies(response))?.replies
  if (replies === undefined) return undefined
  const steps: Array<WrittenStep> = []
  const titles = new Map(tabs.map(({ id, title }) => [id, title]))
  const sizes = new Map(tabs.map(({ id, size }) => [id, size]))
  for (const [index, edit] of edits.entries()) {
    if ("addSheet" in edit) {
      const added = replies[index]?.addSheet?.properties
      if (added === undefined) return undefined
      const { sheetId = 0, title } = added
      titles.set(sheetId, title)
      steps.push({ kind: "tab_added", file, sheetId, title })
    } else if ("updateSheetProperties" in edit) {
      const { sheetId = 0, title: after } = edit.updateSheetProperties.properties
      const before = titles.get(sheetId)
      if (before === undefined) return undefined
      titles.set(sheetId, after)
      steps.push({ kind: "tab_renamed", file, sheetId, before, after })
    } else {
      const { dimension, length, sheetId = 0 } = edit.appendDimension
      const size = sizes.get(sheetId)
      if (size === undefined) return undefined
      const from = dimension === "ROWS" ? size.rows : size.columns
      sizes.set(sheetId, dimension === "ROWS" ? { ...size, rows: from + length } : { ...size, columns: from + length })
      steps.push({
        kind: "growth",
        file,
        sheetId,
        title: titles.get(sheetId) ?? "",
        dimension,
        from,
        to: from + length
      })
    }
  }
  return steps
}
