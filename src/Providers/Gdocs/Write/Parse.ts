import type { Root } from "mdast"
import { type Extension, fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"
import { normalizeText } from "./Text.ts"

/** Without the search for addresses in text that is parsed already: it would link those that are escaped. */
const mdastExtensions = gfmFromMarkdown().map((extension): Extension => ({ ...extension, transforms: [] }))

/** A single tilde is a tilde. */
const extensions = [gfm({ singleTilde: false })]

/** CommonMark with GFM. */
export const parseMarkdown = (markdown: string): Root =>
  fromMarkdown(normalizeText(markdown), { extensions, mdastExtensions })
