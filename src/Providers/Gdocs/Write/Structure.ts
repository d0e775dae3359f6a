/*
 * What has to be known of a document before it is written to: where its paragraphs and tables are, its headings, its
 * lists. Masks cannot recurse, so tables in tables are left out below the second, and tabs below the third level, the
 * deepest that there is.
 */

const text = "content,suggestedInsertionIds,suggestedDeletionIds"

const elements =
  `elements(startIndex,endIndex,textRun(${text}),person(personProperties),richLink(richLinkProperties),` +
  "dateElement(dateElementProperties),inlineObjectElement(inlineObjectId),footnoteReference(footnoteId),equation)"

const paragraph = `paragraph(bullet,paragraphStyle(namedStyleType,headingId),${elements})`

const content = (tables: number): string =>
  `content(startIndex,endIndex,sectionBreak(sectionStyle(sectionType)),tableOfContents(content(endIndex)),${paragraph}${
    tables === 0 ? "" : `,table(columns,tableRows(tableCells(${content(tables - 1)})))`
  })`

const nested = (fields: string, levels: number): string =>
  levels === 0 ? fields : `${fields},childTabs(${nested(fields, levels - 1)})`

const tabs = (fields: string) =>
  `documentId,title,revisionId,tabs(${nested(`tabProperties(tabId,title)${fields === "" ? "" : `,${fields}`}`, 2)})`

const query = (fields: string) => ({
  includeTabsContent: true,
  suggestionsViewMode: "SUGGESTIONS_INLINE" as const,
  prettyPrint: false,
  fields
})

/** Indexes are those that requests are carried out with: suggestions are in the text. */
export const structureQuery = query(tabs(`documentTab(body(${content(2)}),lists)`))

/** Only which tabs there are. */
export const tabsQuery = query(tabs(""))

/** Everything that a search goes through. */
export const textQuery = query(tabs(`documentTab(body(${content(2)}),headers,footers,footnotes)`))
