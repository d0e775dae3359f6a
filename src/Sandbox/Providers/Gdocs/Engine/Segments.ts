import { Result } from "effect"
import { type Refusal, refuse } from "./Refusal.ts"
import type { Content, DocumentState, Segment, SegmentKind, Tab } from "./State.ts"

/** A body, header, footer or footnote: what a location's `tabId` and `segmentId` name. */
export interface Address {
  readonly tabId?: string
  readonly segmentId?: string
}

export interface Found {
  readonly tab: Tab
  /** `undefined` for the body. */
  readonly segment: { readonly kind: SegmentKind; readonly id: string } | undefined
  readonly content: Content
}

const kinds: ReadonlyArray<SegmentKind> = ["headers", "footers", "footnotes"]

export const allTabs = (tabs: ReadonlyArray<Tab>): ReadonlyArray<Tab> =>
  tabs.flatMap((tab) => [tab, ...allTabs(tab.children)])

/** Without a `tabId`, the first tab. */
export const findTab = (state: DocumentState, tabId = ""): Tab | undefined =>
  tabId === "" ? state.tabs[0] : allTabs(state.tabs).find((tab) => tab.tabId === tabId)

export const findSegment = (
  where: string,
  state: DocumentState,
  { segmentId = "", tabId = "" }: Address
): Result.Result<Found, Refusal> => {
  const tab = findTab(state, tabId)
  if (tab === undefined) return refuse(where, `Tab ID ${tabId} was not found.`)
  if (segmentId === "") return Result.succeed({ tab, segment: undefined, content: tab.body })
  for (const kind of kinds) {
    const segment = tab[kind][segmentId]
    if (segment !== undefined) {
      return Result.succeed({ tab, segment: { kind, id: segmentId }, content: segment.content })
    }
  }
  return refuse(where, `Segment with ID ${segmentId} was not found.`)
}

export const updateTab = (state: DocumentState, tabId: string, change: (tab: Tab) => Tab): DocumentState => ({
  ...state,
  tabs: updated(state.tabs, tabId, change)
})

const updated = (tabs: ReadonlyArray<Tab>, tabId: string, change: (tab: Tab) => Tab): ReadonlyArray<Tab> =>
  tabs.map((tab) => tab.tabId === tabId ? change(tab) : { ...tab, children: updated(tab.children, tabId, change) })

export const setContent = (state: DocumentState, { segment, tab }: Found, content: Content): DocumentState =>
  updateTab(state, tab.tabId, (each) =>
    segment === undefined ? { ...each, body: content } : {
      ...each,
      [segment.kind]: { ...each[segment.kind], [segment.id]: { ...each[segment.kind][segment.id], content } }
    })

/** Every segment of a tab: its body first. */
export const segmentsOf = (tab: Tab): ReadonlyArray<Found> => [
  { tab, segment: undefined, content: tab.body },
  ...kinds.flatMap((kind) =>
    Object.entries<Segment>(tab[kind]).map(([id, { content }]): Found => ({ tab, segment: { kind, id }, content }))
  )
]
