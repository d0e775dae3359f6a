import { Result } from "effect"
import { ParagraphStyle, TextStyle } from "../../../../Providers/Gdocs/Generated.ts"
import type { GoogleError } from "../../Google/GoogleError.ts"
import type { IdGenerator } from "./Document.ts"
import { type Inline, isTextRun, type Paragraph, type Tab } from "./Document.ts"
import { refuse } from "./Errors.ts"
import { mergeRuns, removeLink } from "./Inlines.ts"
import { asArray, asObject, asString, equal, isObject, type Json, type JsonObject, without } from "./Json.ts"
import { isHeading } from "./Paragraphs.ts"

export const textStyleFields = Object.keys(TextStyle.fields)

export const paragraphStyleFields = Object.keys(ParagraphStyle.fields)
  .filter((name) => name !== "headingId" && name !== "tabStops")

export const parseUpdateMask = (
  fields: string,
  known: ReadonlyArray<string>
): Result.Result<ReadonlyArray<string>, GoogleError> => {
  const paths = fields.split(",").map((path) => path.trim()).filter((path) => path !== "")
  if (paths.includes("*")) return Result.succeed(known)
  const unknown = paths.find((path) => !known.includes(path.split(".", 1)[0] ?? ""))
  return unknown === undefined ? Result.succeed(paths) : refuse(`Invalid field: ${unknown}`)
}

export const assignFields = (target: JsonObject, source: JsonObject, paths: ReadonlyArray<string>): JsonObject =>
  paths.reduce((style, path) => assignPath(style, source, path.split(".")), target)

const assignPath = (
  target: JsonObject,
  source: JsonObject,
  [name = "", ...below]: ReadonlyArray<string>
): JsonObject => {
  const value: Json | undefined = below.length === 0
    ? source[name]
    : assignPath(asObject(target[name]), asObject(source[name]), below)
  return value === undefined ? without(target, name) : { ...target, [name]: value }
}

export const inheritedTextStyle = (tab: Tab, namedStyleType: string): JsonObject => {
  const styles = asArray(asObject(tab.rest["namedStyles"])["styles"]).map(asObject)
  const own = (type: string) => asObject(styles.find((style) => style["namedStyleType"] === type)?.["textStyle"])
  return { ...own("NORMAL_TEXT"), ...own(namedStyleType) }
}

const linkStyle: JsonObject = {
  foregroundColor: { color: { rgbColor: { red: 0.06666667, green: 0.33333334, blue: 0.8 } } },
  underline: true
}

export interface TextStyleUpdate {
  readonly style: JsonObject
  readonly paths: ReadonlyArray<string>
}

export const restyleInline =
  (update: TextStyleUpdate, inherited: JsonObject) => (inline: Inline): ReadonlyArray<Inline> => {
    const ofText = (style: JsonObject) => dropInherited(assignTextStyle(style, update), inherited)
    if (!isTextRun(inline)) return [{ ...inline, element: restyleElement(inline.element, ofText) }]
    const body = inline.text.endsWith("\n") ? inline.text.slice(0, -1) : inline.text
    const newline = inline.text.slice(body.length)
    const unlinked = { ...update, paths: update.paths.filter((path) => !isLink(path)) }
    return [
      ...(body === "" ? [] : [{ ...inline, text: body, style: ofText(inline.style) }]),
      ...(newline === ""
        ? []
        : [{ ...inline, text: newline, style: dropInherited(assignTextStyle(inline.style, unlinked), inherited) }])
    ]
  }

const isLink = (path: string): boolean => path.split(".", 1)[0] === "link"

const assignTextStyle = (own: JsonObject, { paths, style }: TextStyleUpdate): JsonObject => {
  if (!paths.some(isLink)) return assignFields(own, style, paths)
  if (Object.keys(asObject(style["link"])).length > 0) return assignFields({ ...own, ...linkStyle }, style, paths)
  return assignFields(own["link"] === undefined ? own : removeLink(own), style, paths)
}

const dropInherited = (style: JsonObject, inherited: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(style).filter(([name, value]) => name === "link" || !equal(value, inherited[name]))
  )

const restyleElement = (element: JsonObject, change: (style: JsonObject) => JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(element).map(([name, value]): [string, Json] =>
      isObject(value) && isObject(value["textStyle"]) ? [name, { ...value, textStyle: change(value["textStyle"]) }] : [
        name,
        value
      ]
    )
  )

const clearStyle = (inline: Inline): Inline =>
  isTextRun(inline) && inline.style["link"] === undefined ? { ...inline, style: {} } : inline

/**
 * A new named style clears the styles of the runs, except links. Google does not document this; it was measured by a
 * third party.
 */
export const restyleParagraph = (
  paragraph: Paragraph,
  style: JsonObject,
  paths: ReadonlyArray<string>,
  ids: IdGenerator
): Paragraph => {
  const before = asString(paragraph.style["namedStyleType"])
  const assigned: JsonObject = {
    namedStyleType: "NORMAL_TEXT",
    direction: "LEFT_TO_RIGHT",
    ...assignFields(paragraph.style, style, paths)
  }
  const named = asString(assigned["namedStyleType"])
  const headingId = paragraph.style["headingId"] ?? (isHeading(assigned) ? ids.next("h.") : null)
  return {
    ...paragraph,
    style: isHeading(assigned) ? { ...assigned, headingId } : without(assigned, "headingId"),
    inlines: named === before ? paragraph.inlines : mergeRuns(paragraph.inlines.map(clearStyle))
  }
}
