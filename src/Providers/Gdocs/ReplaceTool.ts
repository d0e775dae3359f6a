import { Effect, Schema } from "effect"
import { DocumentReference } from "../Google/FileReference.ts"
import { type ProviderCalls, tool } from "../Provider.ts"
import { flag, isMaxCharacters, text } from "../Tooling/Fields.ts"
import { mistake } from "./Mistakes.ts"
import type { DocumentAnswer } from "./Read/DocumentAnswer.ts"
import { tabsOf, type TabView } from "./Read/Tabs.ts"
import { tabOf } from "./TabOf.ts"
import { tabField } from "./ToolFields.ts"
import type { Request } from "./Write/Requests.ts"
import { countMatches, noMatchReason, type Passages, passagesOf } from "./Write/Search.ts"
import { readDocument, revisionOf, sendRequests, writeDocument } from "./Write/Send.ts"
import { tabsQuery, textQuery } from "./Write/Structure.ts"
import { normalizeText } from "./Write/Text.ts"

export const docsReplaceText = tool({
  name: "docs_replace_text",
  description: [
    "Replaces every occurrence of some text; case-sensitive unless `match_case` is false.",
    "Freshness: it is there at once; `revisionId` is the state after it.",
    "Window: every tab with its tables, headers, footers and footnotes, or the tab that is named without its child tabs.",
    "Units: `occurrences` is how many were replaced. `find` and `replace` are literal: no markdown, no patterns; what",
    "replaces a text has the style of its first character.",
    "Order: occurrences do not overlap and are found from the start.",
    "Truncation: none; all occurrences are replaced in one step or none is.",
    "Empty: no occurrence is not an error; `no_match_reason` says what stands in the way (soft_line_break, nbsp, whitespace,",
    "dash, zero_width, case, other_tab, or not_found). Curly quotes match straight ones.",
    "Repeating the call finds nothing, unless `replace` contains `find`. To add text use docs_append or docs_insert."
  ].join(" "),
  writes: true,
  input: Schema.Struct({
    document: DocumentReference,
    find: text({
      description: "The text to find, as it is read in the document and without markdown's backslashes.",
      maxLength: 5000
    }),
    replace: Schema.String.check(isMaxCharacters(100_000)).annotate({
      description: "What to put in its place; an empty string removes it."
    }),
    match_case: flag({ description: "Whether upper and lower case are different.", default: true }),
    tab: tabField("The tab to replace in; by default all of them"),
    expected_count: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })).annotate({
        description: "How many occurrences there have to be; with another number of them nothing is replaced."
      })
    )
  }),
  run: Effect.fnUntraced(
    function*({ document, expected_count, find, match_case, replace, tab: wanted = document.tab }, provider) {
      const search: Search = {
        find: normalizeText(find),
        replace: normalizeText(replace),
        matchCase: match_case,
        wanted
      }
      if (search.find === "") return yield* mistake("find", "No document holds these characters.")
      const { documentId } = document
      const answer = expected_count === undefined
        ? yield* replaceAll(provider, documentId, search)
        : (yield* writeDocument(provider, documentId, textQuery, (found) => counted(found, search, expected_count)))
          .answer
      const occurrences = answer.replies?.[0]?.replaceAllText?.occurrencesChanged ?? 0
      if (occurrences > 0) return { documentId, occurrences, ...revisionOf(answer) }
      const found = yield* readDocument(provider, documentId, textQuery)
      return { documentId, occurrences, ...revisionOf(answer), no_match_reason: reasonIn(found, search) }
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
    : yield* tabOf(tabsOf(yield* readDocument(provider, documentId, tabsQuery)), search.wanted)
  return yield* sendRequests(provider, documentId, [requestFor(search, tab)], undefined)
})

const counted = Effect.fnUntraced(function*(document: DocumentAnswer, search: Search, expected: number) {
  const tab = search.wanted === undefined ? undefined : yield* tabOf(tabsOf(document), search.wanted)
  const passages = textIn(tab === undefined ? tabsOf(document) : [tab])
  const count = countMatches(passages, search.find, search.matchCase)
  if (count === expected) return { requests: [requestFor(search, tab)] }
  const why = count === 0 ? ` (${reasonIn(document, search)})` : ""
  return yield* mistake(
    "expected_count",
    `The text occurs ${count} times${why}, not ${expected}; nothing was replaced.`
  )
})

const reasonIn = (document: DocumentAnswer, { find, matchCase, wanted }: Search) => {
  const tabs = tabsOf(document)
  const isWanted = ({ id, title }: TabView) => wanted === undefined || id === wanted || title === wanted
  return noMatchReason({
    searched: textIn(tabs.filter(isWanted)),
    elsewhere: textIn(tabs.filter((tab) => !isWanted(tab))),
    find,
    matchCase
  })
}

const textIn = (tabs: ReadonlyArray<TabView>): Passages => tabs.flatMap(({ contents }) => passagesOf(contents))
