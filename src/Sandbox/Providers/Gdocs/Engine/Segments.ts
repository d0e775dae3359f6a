import { Result } from "effect"
import type { GoogleError } from "../../Google/GoogleError.ts"
import type { Content, Document, Segment, SegmentKind, Tab } from "./Document.ts"
import { refuse } from "./Errors.ts"

export interface SegmentAddress {
  readonly tabId?: string
  readonly segmentId?: string
}

export interface FoundSegment {
  readonly tab: Tab
  readonly segment: { readonly kind: SegmentKind; readonly id: string } | undefined
  readonly content: Content
}

const segmentKinds: ReadonlyArray<SegmentKind> = ["headers", "footers", "footnotes"]

export const allTabs = (tabs: ReadonlyArray<Tab>): ReadonlyArray<Tab> =>
  tabs.flatMap((tab) => [tab, ...allTabs(tab.children)])

export const findTab = (document: Document, tabId = ""): Tab | undefined =>
  tabId === "" ? document.tabs[0] : allTabs(document.tabs).find((tab) => tab.tabId === tabId)

export const findSegment = (
  document: Document,
  { segmentId = "", tabId = "" }: SegmentAddress
): Result.Result<FoundSegment, GoogleError> => {
  const tab = findTab(document, tabId)
  if (tab === undefined) return refuse(`Tab ID ${tabId} was not found.`)
  if (segmentId === "") return Result.succeed({ tab, segment: undefined, content: tab.body })
  for (const kind of segmentKinds) {
    const segment = Object.hasOwn(tab[kind], segmentId) ? tab[kind][segmentId] : undefined
    if (segment !== undefined) {
      return Result.succeed({ tab, segment: { kind, id: segmentId }, content: segment.content })
    }
  }
  return refuse(`Segment with ID ${segmentId} was not found.`)
}

export const updateTab = (document: Document, tabId: string, change: (tab: Tab) => Tab): Document => ({
  ...document,
  tabs: updateTabs(document.tabs, tabId, change)
})

const updateTabs = (tabs: ReadonlyArray<Tab>, tabId: string, change: (tab: Tab) => Tab): ReadonlyArray<Tab> =>
  tabs.map((tab) => tab.tabId === tabId ? change(tab) : { ...tab, children: updateTabs(tab.children, tabId, change) })

export const setContent = (document: Document, { segment, tab }: FoundSegment, content: Content): Document =>
  updateTab(document, tab.tabId, (each) =>
    segment === undefined ? { ...each, body: content } : {
      ...each,
      [segment.kind]: { ...each[segment.kind], [segment.id]: { ...each[segment.kind][segment.id], content } }
    })

export const segmentsOf = (tab: Tab): ReadonlyArray<FoundSegment> => [
  { tab, segment: undefined, content: tab.body },
  ...segmentKinds.flatMap((kind) =>
    Object.entries<Segment>(tab[kind]).map(([id, { content }]): FoundSegment => ({
      tab,
      segment: { kind, id },
      content
    }))
  )
]
