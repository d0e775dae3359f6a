import type { Root } from "mdast"
import { type Extension, fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"
import { normalizeText } from "../NormalizeText.ts"

/** The transforms would also link escaped addresses. The micromark extension links the others. */
const mdastExtensions = gfmFromMarkdown().map((extension): Extension => ({ ...extension, transforms: [] }))

const extensions = [gfm({ singleTilde: false })]

export const parseMarkdown = (markdown: string): Root =>
  fromMarkdown(normalizeText(markdown), { extensions, mdastExtensions })
