import { Schema } from "effect"
import { Integer } from "../../Tooling/Integer.ts"
import type { Block } from "./Blocks.ts"
import { plainText } from "./Inlines.ts"

export const Heading = Schema.Struct({
  level: Integer.annotate({ description: "0 for the title and the subtitle." }),
  style: Schema.optionalKey(Schema.Literals(["title", "subtitle"])),
  text: Schema.String,
  start: Integer,
  end: Integer,
  headingId: Schema.optionalKey(Schema.String),
  tab: Schema.String
})
export type Heading = typeof Heading.Type

export const outlineOf = (blocks: ReadonlyArray<Block>, tab: string): ReadonlyArray<Heading> =>
  blocks.flatMap((block): ReadonlyArray<Heading> => {
    if (block.kind !== "text" || block.headingStyle === undefined) return []
    const { end, headingId, headingStyle: style, inlines, start } = block
    const inText = inlines.filter((inline) => inline.kind !== "node" || inline.floats !== true)
    const text = plainText(inText).replace(/\s+/g, " ").trim()
    return text === "" ? [] : [{
      ...(typeof style === "number" ? { level: style } : { level: 0, style }),
      text,
      start,
      end,
      ...(headingId === undefined ? {} : { headingId }),
      tab
    }]
  })
