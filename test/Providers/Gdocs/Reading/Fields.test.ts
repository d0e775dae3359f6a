import { assert, describe, it } from "@effect/vitest"
import type { SchemaAST } from "effect"
import { Document } from "../../../../src/Providers/Gdocs/Responses.ts"
import { discovery } from "../../../support/Discovery.ts"
import { providerDocuments } from "../../../support/OutsideFolder.ts"

/** Say how a document looks, name something for programs, or say what other fields say. */
const unread: Readonly<Record<string, string>> = {
  Bullet: "textStyle",
  DateElement: "dateId",
  DateElementProperties: "dateFormat locale timeFormat timeZoneId",
  Dimension: "unit",
  Document: "comments commentsViewMode documentStyle namedStyles suggestions",
  DocumentTab: "documentStyle namedStyles",
  // The object id stands for the picture; its address expires.
  EmbeddedObject: "embeddedObjectBorder imageProperties marginBottom marginLeft marginRight marginTop size",
  Footer: "footerId",
  Footnote: "footnoteId",
  Header: "headerId",
  InlineObject: "objectId",
  NestingLevel: "bulletAlignment glyphFormat indentFirstLine indentStart textStyle",
  ParagraphBorder: "color dashStyle padding",
  ParagraphStyle: "avoidWidowAndOrphan borderBetween borderLeft borderRight borderTop direction keepLinesTogether " +
    "keepWithNext lineSpacing spaceAbove spaceBelow spacingMode tabStops",
  Person: "personId",
  PositionedObject: "objectId",
  PositionedObjectProperties: "positioning",
  RichLink: "richLinkId",
  RichLinkProperties: "mimeType",
  TabProperties: "iconEmoji index nestingLevel parentTabId",
  Table: "rows tableStyle",
  TableCell: "endIndex startIndex",
  TableCellStyle: "backgroundColor borderBottom borderLeft borderRight borderTop contentAlignment paddingBottom " +
    "paddingLeft paddingRight paddingTop",
  TableRow: "endIndex startIndex tableRowStyle",
  TextStyle: "fontSize foregroundColor smallCaps",
  WeightedFontFamily: "weight"
}

/** What a field holds, or each entry of it. */
const entryOf = (ast: SchemaAST.AST): SchemaAST.AST => {
  if (ast._tag === "Suspend") return entryOf(ast.thunk())
  const entry = ast._tag === "Arrays" ? ast.rest[0] : ast._tag === "Objects" ? ast.indexSignatures[0]?.type : undefined
  return entry === undefined ? ast : entryOf(entry)
}

/** By schema of the provider, from the document on. */
const unreadFields = () => {
  const { schemas } = discovery("gdocs")
  const found = new Map<string, string>()
  const visit = (name: string, ast: SchemaAST.AST): void => {
    if (ast._tag !== "Objects" || found.has(name)) return
    const read = new Map(ast.propertySignatures.map(({ name, type }) => [name, entryOf(type)]))
    const fields = Object.entries(schemas[name]?.properties ?? {})
    found.set(name, fields.flatMap(([field]) => read.has(field) ? [] : [field]).toSorted().join(" "))
    for (const [field, { $ref, additionalProperties, items }] of fields) {
      const inner = $ref ?? items?.$ref ?? additionalProperties?.$ref
      const type = read.get(field)
      if (inner !== undefined && type !== undefined) visit(inner, type)
    }
  }
  visit("Document", Document.ast)
  return Object.fromEntries([...found].filter(([, fields]) => fields !== ""))
}

describe.skipIf(providerDocuments.isAbsent)(`Fields of a document${providerDocuments.absence}`, () => {
  it("are all read but for those that stand here, also when the provider has new ones", () => {
    assert.deepStrictEqual(unreadFields(), unread)
  })
})
