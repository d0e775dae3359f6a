import { Schema } from "effect"
import { Integer } from "../../Tooling/Integer.ts"
import type { Block, TextBlock } from "./Blocks.ts"
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
  blocks.flatMap((block) => {
    if (block.kind !== "text" || block.headingStyle === undefined) return []
    const text = plainText(block.inlines.filter((inline) => inline.kind !== "node" || inline.floats !== true)).replace(
      /\s+/g,
      " "
    ).trim()
    return text === "" ? [] : [headingOf(block, text, tab)]
  })

const headingOf = ({ end, headingId, headingStyle, start }: TextBlock, text: string, tab: string): Heading => ({
  level: typeof headingStyle === "number" ? headingStyle : 0,
  ...(headingStyle === "title" || headingStyle === "subtitle" ? { style: headingStyle } : {}),
  text,
  start,
  end,
  ...(headingId === undefined ? {} : { headingId }),
  tab
})
