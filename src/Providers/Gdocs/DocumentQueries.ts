/*
 * A mask cannot recurse, so it spells out two levels of tables and the three levels of tabs that a document can have.
 * Indexes count suggested text, as they do in requests.
 */

const text = "content,suggestedInsertionIds,suggestedDeletionIds"

const elements =
  `elements(startIndex,endIndex,textRun(${text}),person(personProperties),richLink(richLinkProperties),` +
  "dateElement(dateElementProperties),inlineObjectElement(inlineObjectId),footnoteReference(footnoteId),equation," +
  "pageBreak,columnBreak,horizontalRule)"

const paragraph = `paragraph(bullet,paragraphStyle(namedStyleType,headingId),${elements})`

const content = (tableLevels: number): string =>
  `content(startIndex,endIndex,sectionBreak(sectionStyle(sectionType)),tableOfContents(content(endIndex)),${paragraph}${
    tableLevels === 0 ? "" : `,table(columns,tableRows(tableCells(${content(tableLevels - 1)})))`
  })`

const withChildTabs = (fields: string, levels: number): string =>
  levels === 0 ? fields : `${fields},childTabs(${withChildTabs(fields, levels - 1)})`

const document = (fields: string) =>
  `documentId,title,revisionId,tabs(${
    withChildTabs(`tabProperties(tabId,title)${fields === "" ? "" : `,${fields}`}`, 2)
  })`

const query = (fields: string) => ({
  includeTabsContent: true,
  suggestionsViewMode: "SUGGESTIONS_INLINE" as const,
  prettyPrint: false,
  fields
})

export const structureQuery = query(document(`documentTab(body(${content(2)}),lists)`))

export const tabsQuery = query(document(""))

export const textQuery = query(document(`documentTab(body(${content(2)}),headers,footers,footnotes)`))
