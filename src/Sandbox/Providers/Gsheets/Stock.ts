import { Result } from "effect"
import { catalogueOf, market } from "../../Data/Portfolio.ts"
import { mixHash } from "../../Data/SeededRandom.ts"
import { blankSpreadsheet } from "./Engine/Defaults.ts"
import type { Cell, Rows, Spreadsheet } from "./Engine/Spreadsheet.ts"
import { addTab } from "./Engine/Tabs.ts"
import { enteredOf } from "./Engine/Value.ts"

export const stockId = "sandbox-stock"

const headers = ["SKU", "Article", "URL", "In stock", "Sold", "Shelf", "Note for the team", "Note for customers"]

const articleCount = 40_000

const cell = (value: string | number): Cell => ({ userEnteredValue: enteredOf(value) })

/** The sheet of stock. Its values are 10 MB of JSON. */
const stockRows = (): Rows => {
  const { pages } = catalogueOf(market)
  return [
    headers.map(cell),
    ...Array.from({ length: articleCount }, (_, index) => {
      const page = pages[index % pages.length]
      const hash = mixHash(index, 5)
      return [
        `HM-${100_000 + index}`,
        page?.title ?? "",
        `${page?.url}?article=${index}`,
        hash % 500,
        hash % 9000,
        `Aisle ${hash % 40}, shelf ${hash % 7}`,
        `Count ${page?.topic} again before the ${1 + hash % 28}th`,
        `Our ${page?.topic} is sent within ${1 + hash % 5} working days`
      ].map(cell)
    })
  ]
}

/** Written without the engine, which would take seconds. */
export const stockSpreadsheet = (): Spreadsheet => {
  const blank = { ...blankSpreadsheet(stockId, "Stock of Harbour Market"), tabs: [] }
  const properties = {
    title: "Stock",
    gridProperties: { rowCount: articleCount + 1, columnCount: headers.length, frozenRowCount: 1 }
  }
  return Result.getOrThrow(addTab(blank, properties, stockRows())).spreadsheet
}
