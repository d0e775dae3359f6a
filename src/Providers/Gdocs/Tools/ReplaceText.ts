import { Effect, Schema } from "effect"
import { DocumentReference } from "../../Google/FileReference.ts"
import { described, type ProviderCalls, tool } from "../../Provider.ts"
import { flag, isMaxCharacters, text } from "../../Tooling/Fields.ts"
import { Integer } from "../../Tooling/Integer.ts"
import { batchUpdate, readDocument, revisionField, revisionOf, writeDocument } from "../DocumentCalls.ts"
import { tabsQuery, textQuery } from "../DocumentQueries.ts"
import { invalidField } from "../InvalidField.ts"
import type { Document } from "../Responses.ts"
import { tabField } from "../Schemas.ts"
import { allTabs, chooseTab, type TabView } from "../Tabs.ts"
import { normalizeText } from "../Writing/NormalizeText.ts"
import type { Request } from "../Writing/Requests.ts"
import { countMatches, NoMatchReason, noMatchReason, type Passages, passagesOf } from "../Writing/Search.ts"

export const docsReplaceText = tool({
  name: "docs_replace_text",
  ...described([
    "Replaces every occurrence of some text; case-sensitive unless `match_case` is false.",
    "Searches every tab with its tables, headers, footers and footnotes.",
    "`find` and `replace` are literal text, neither markdown nor patterns.",
    "The new text takes the style of the first character it replaces.",
    "All occurrences are replaced in one step, or none is.",
    "Without an occurrence `no_match_reason` says what prevents a match, such as whitespace, a dash or another tab.",
    "To add text use docs_append or docs_insert."
  ], [
    "Child tabs of a named `tab` are not searched.",
    "Curly quotes match straight ones.",
    "`occurrences` counts replacements.",
    "No occurrence is not an error: `no_match_reason` is soft_line_break, nbsp, whitespace, dash, zero_width, case, other_tab, or not_found.",
    "Repeating the call finds nothing, unless `replace` contains `find`."
  ]),
  writes: true,
  destructive: true,
  input: Schema.Struct({
    document: DocumentReference,
    find: text({
      description: "The text to find, as the document shows it, without markdown's backslashes.",
      maxLength: 5000
    }),
    replace: Schema.String.check(isMaxCharacters(100_000)).annotate({
      description: "The new text; an empty string deletes the occurrences."
    }),
    match_case: flag({ description: "Whether upper and lower case differ.", default: true }),
    tab: tabField("The tab to replace in; by default all of them"),
    expected_count: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })).annotate({
        description: "The expected number of occurrences; with any other number nothing is replaced."
      })
    )
  }),
  resources: { names: ({ document }) => document.documentId },
  output: Schema.Struct({
    documentId: Schema.String,
    occurrences: Integer,
    ...revisionField,
    no_match_reason: Schema.optionalKey(NoMatchReason)
  }),
  run: Effect.fnUntraced(
    function*({ document, expected_count, find, match_case, replace, tab: wanted = document.tab }, provider) {
      const search: Search = {
        find: normalizeText(find),
        replace: normalizeText(replace),
        matchCase: match_case,
        wanted
      }
      if (search.find === "") return yield* invalidField("find", "No document holds these characters.")
      const { documentId } = document
      const response = expected_count === undefined
        ? yield* replaceAll(provider, documentId, search)
        : (yield* writeDocument(provider, documentId, textQuery, (found) => checkCount(found, search, expected_count)))
          .response
      const occurrences = response.replies?.[0]?.replaceAllText?.occurrencesChanged ?? 0
      if (occurrences > 0) return { documentId, occurrences, ...revisionOf(response) }
      const found = yield* readDocument(provider, documentId, textQuery)
      return { documentId, occurrences, ...revisionOf(response), no_match_reason: findReason(found, search) }
    }
  )
})

interface Search {
  readonly find: string
  readonly replace: string
  readonly matchCase: boolean
  readonly wanted: string | undefined
}

const requestFor = ({ find, matchCase, replace }: Search, tab: TabView | undefined): Request => ({
  replaceAllText: {
    containsText: { text: find, matchCase },
    replaceText: replace,
    ...(tab === undefined ? {} : { tabsCriteria: { tabIds: [tab.id] } })
  }
})

const replaceAll = Effect.fnUntraced(function*(provider: ProviderCalls, documentId: string, search: Search) {
  const tab = search.wanted === undefined
    ? undefined
    : yield* chooseTab(allTabs(yield* readDocument(provider, documentId, tabsQuery)), search.wanted)
  return yield* batchUpdate(provider, documentId, [requestFor(search, tab)], undefined)
})

const checkCount = Effect.fnUntraced(function*(document: Document, search: Search, expected: number) {
  const tab = search.wanted === undefined ? undefined : yield* chooseTab(allTabs(document), search.wanted)
  const passages = passagesIn(tab === undefined ? allTabs(document) : [tab])
  const count = countMatches(passages, search.find, search.matchCase)
  if (count === expected) return { requests: [requestFor(search, tab)] }
  const reason = count === 0 ? ` (${findReason(document, search)})` : ""
  return yield* invalidField(
    "expected_count",
    `The text occurs ${count} times${reason}, not ${expected}; nothing was replaced.`
  )
})

const findReason = (document: Document, { find, matchCase, wanted }: Search) => {
  const tabs = allTabs(document)
  const isWanted = ({ id, title }: TabView) => wanted === undefined || id === wanted || title === wanted
  return noMatchReason({
    searched: passagesIn(tabs.filter(isWanted)),
    elsewhere: passagesIn(tabs.filter((tab) => !isWanted(tab))),
    find,
    matchCase
  })
}

const passagesIn = (tabs: ReadonlyArray<TabView>): Passages => tabs.flatMap(({ contents }) => passagesOf(contents))
