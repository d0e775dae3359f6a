import { Result } from "effect"
import type { Ids } from "./Ids.ts"
import { merge, withoutLink } from "./Inlines.ts"
import { equal, isProps, items, type Json, props, text, without } from "./Json.ts"
import { isHeading } from "./Paragraphs.ts"
import { type Refusal, refuse } from "./Refusal.ts"
import { type Inline, isRun, type Paragraph, type Props, type Tab } from "./State.ts"

export const textStyleFields = [
  "backgroundColor",
  "baselineOffset",
  "bold",
  "fontSize",
  "foregroundColor",
  "italic",
  "link",
  "smallCaps",
  "strikethrough",
  "underline",
  "weightedFontFamily"
] as const

/** Without `headingId` and `tabStops`, which are read-only. */
export const paragraphStyleFields = [
  "namedStyleType",
  "alignment",
  "avoidWidowAndOrphan",
  "borderBetween",
  "borderBottom",
  "borderLeft",
  "borderRight",
  "borderTop",
  "direction",
  "indentEnd",
  "indentFirstLine",
  "indentStart",
  "keepLinesTogether",
  "keepWithNext",
  "lineSpacing",
  "pageBreakBefore",
  "shading",
  "spaceAbove",
  "spaceBelow",
  "spacingMode"
] as const

/** The fields a mask names, each as the path below the style; `*` names all. */
export const readMask = (
  where: string,
  fields: string | undefined,
  known: ReadonlyArray<string>
): Result.Result<ReadonlyArray<string>, Refusal> => {
  const paths = (fields ?? "").split(",").map((path) => path.trim()).filter((path) => path !== "")
  if (paths.length === 0) {
    return refuse(where, "At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)")
  }
  if (paths.includes("*")) return Result.succeed(known)
  const unknown = paths.find((path) => !known.includes(path.split(".", 1)[0] ?? ""))
  return unknown === undefined ? Result.succeed(paths) : refuse(where, `Invalid field: ${unknown}`)
}

/** Takes what `paths` name from `source`; what `source` leaves unset there is cleared. */
export const assign = (target: Props, source: Props, paths: ReadonlyArray<string>): Props =>
  paths.reduce((style, path) => assignPath(style, source, path.split(".")), target)

const assignPath = (target: Props, source: Props, [name = "", ...below]: ReadonlyArray<string>): Props => {
  const value: Json | undefined = below.length === 0
    ? source[name]
    : assignPath(props(target[name]), props(source[name]), below)
  return value === undefined ? without(target, name) : { ...target, [name]: value }
}

/** What text of a named style looks like where it says nothing itself. */
export const inheritedTextStyle = (tab: Tab, namedStyleType: string): Props => {
  const styles = items(props(tab.rest["namedStyles"])["styles"]).map(props)
  const own = (type: string) => props(styles.find((style) => style["namedStyleType"] === type)?.["textStyle"])
  return { ...own("NORMAL_TEXT"), ...own(namedStyleType) }
}

/** The look that a link gets where the request says nothing else. */
const linkLook: Props = {
  foregroundColor: { color: { rgbColor: { red: 0.06666667, green: 0.33333334, blue: 0.8 } } },
  underline: true
}

export interface TextStyleUpdate {
  readonly style: Props
  readonly paths: ReadonlyArray<string>
}

/**
 * Restyles what stands in a paragraph. A value equal to the inherited one becomes inherited. Links are not settable on
 * newlines, and bring or take their look along.
 */
export const restyle = (update: TextStyleUpdate, inherited: Props) => (inline: Inline): ReadonlyArray<Inline> => {
  const ofText = (style: Props) => inherit(assignTextStyle(style, update), inherited)
  if (!isRun(inline)) return [{ ...inline, element: restyleThing(inline.element, ofText) }]
  const body = inline.text.endsWith("\n") ? inline.text.slice(0, -1) : inline.text
  const newline = inline.text.slice(body.length)
  const unlinked = { ...update, paths: update.paths.filter((path) => !isLink(path)) }
  return [
    ...(body === "" ? [] : [{ ...inline, text: body, style: ofText(inline.style) }]),
    ...(newline === ""
      ? []
      : [{ ...inline, text: newline, style: inherit(assignTextStyle(inline.style, unlinked), inherited) }])
  ]
}

const isLink = (path: string): boolean => path.split(".", 1)[0] === "link"

const assignTextStyle = (own: Props, { paths, style }: TextStyleUpdate): Props => {
  if (!paths.some(isLink)) return assign(own, style, paths)
  if (Object.keys(props(style["link"])).length > 0) return assign({ ...own, ...linkLook }, style, paths)
  return assign(own["link"] === undefined ? own : withoutLink(own), style, paths)
}

const inherit = (style: Props, inherited: Props): Props =>
  Object.fromEntries(
    Object.entries(style).filter(([name, value]) => name === "link" || !equal(value, inherited[name]))
  )

const restyleThing = (element: Props, change: (style: Props) => Props): Props =>
  Object.fromEntries(
    Object.entries(element).map(([name, value]): [string, Json] =>
      isProps(value) && isProps(value["textStyle"]) ? [name, { ...value, textStyle: change(value["textStyle"]) }] : [
        name,
        value
      ]
    )
  )

const plain = (inline: Inline): Inline =>
  isRun(inline) && inline.style["link"] === undefined ? { ...inline, style: {} } : inline

/**
 * Restyles a paragraph. Another named style also takes the runs' own styles away, all but links: measured by one third
 * party, not documented.
 */
export const restyleParagraph = (
  paragraph: Paragraph,
  style: Props,
  paths: ReadonlyArray<string>,
  ids: Ids
): Paragraph => {
  const before = text(paragraph.style["namedStyleType"])
  const assigned: Props = {
    namedStyleType: "NORMAL_TEXT",
    direction: "LEFT_TO_RIGHT",
    ...assign(paragraph.style, style, paths)
  }
  const named = text(assigned["namedStyleType"])
  const headingId = paragraph.style["headingId"] ?? (isHeading(assigned) ? ids.next("h.") : null)
  return {
    ...paragraph,
    style: isHeading(assigned) ? { ...assigned, headingId } : without(assigned, "headingId"),
    inlines: named === before ? paragraph.inlines : merge(paragraph.inlines.map(plain))
  }
}
