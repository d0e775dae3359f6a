import { Result } from "effect"
import { company } from "../../Data/Company.ts"
import { batchUpdate } from "./Engine/BatchUpdate.ts"
import { blankDocument } from "./Engine/Defaults.ts"
import type { Document } from "./Engine/Document.ts"
import { bullet, type Line, requestsFor, step, task } from "./Lines.ts"

export const planId = "sandbox-plan"

const plan: ReadonlyArray<Line> = [
  { text: "Spring plan 🌱", style: "TITLE" },
  { text: "What we do before the season begins", style: "SUBTITLE" },
  { text: "Goals", style: "HEADING_1" },
  {
    text: "Sell more secateurs, and answer the questions that people search for. The numbers are in the shop's report.",
    bold: ["more secateurs"],
    links: { "shop's report": `${company.shop}/pages/about-us` }
  },
  bullet("Search"),
  bullet("\tTen guides for queries on page two"),
  bullet("\t\tStart with “how to prune roses”"),
  bullet("\tFix the pages that the crawler cannot read"),
  bullet("Newsletter ✉️", { links: { Newsletter: `${company.blog}/` } }),
  { text: "Budget", style: "HEADING_1" },
  {
    text: "In pounds, without tax:",
    table: [
      ["What", "Month", "£"],
      ["Photography", "March", "1,200"],
      ["Guides | edited", "April", "900"],
      ["👩‍🌾 Workshop", "May", ""]
    ]
  },
  { text: "Steps", style: "HEADING_1" },
  step("Write the guides"),
  step("\tDraft"),
  step("\tReview"),
  step("Publish them"),
  { text: "Open questions", style: "HEADING_2" },
  task("Who takes the photographs?"),
  task("Do we need a stand at the show?"),
  {
    text:
      "1986. Not a list: the year in which the shop opened.\u000bThis stands on a line of its own, in the same paragraph."
  }
]

const notes: ReadonlyArray<Line> = [
  { text: "Notes", style: "HEADING_1" },
  { text: "From the meeting with the nursery. Costs are still open." }
]

export const planDocument = (documentId: string): Document =>
  Result.getOrThrow(Result.gen(function*() {
    const blank = blankDocument(documentId, "Spring plan")
    const named = { ...blank, tabs: blank.tabs.map((tab) => ({ ...tab, title: "Plan" })) }
    const [withPlan] = yield* batchUpdate(named, { requests: requestsFor(plan, "t.0") })
    const [withTab] = yield* batchUpdate(withPlan, {
      requests: [{ addDocumentTab: { tabProperties: { title: "Notes", parentTabId: "t.0", iconEmoji: "📝" } } }]
    })
    const child = withTab.tabs[0]?.children[0]?.tabId ?? ""
    const [written] = yield* batchUpdate(withTab, { requests: requestsFor(notes, child) })
    return written
  }))
