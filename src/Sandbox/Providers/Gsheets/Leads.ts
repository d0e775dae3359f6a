import { type Day, isoOf } from "../../Data/Day.ts"
import type { Spreadsheet } from "./Engine/Spreadsheet.ts"
import { type Row, typedSpreadsheet } from "./TypedSpreadsheet.ts"

export const leadsId = "sandbox-leads"

const headers = " Name |Email|Email||Company\nsize|Phone|Signed up|Value (£)|2024|__proto__|Contacted?|Owner 👩‍🌾|Total"
  .split("|")

const leads = (today: Day): ReadonlyArray<Row> => {
  /** The texts, the day of the sign-up and the cells after it. */
  const row = (texts: string, daysAgo: number, more: Row): Row => [...texts.split("|"), isoOf(today - daysAgo), ...more]
  return [
    headers,
    row("Ada Okafor|ada@example.com||vip|51-200|'0044 20 7946 0018", 3, [1200.5, 4, "x", true, "Rosa", "=H2*1.2"]),
    row("Björn Ångström|bjorn@example.com|b2@example.com||2-10|'0170 111", 9, [89.9, 0, "", false, "Rosa", "=H3*1.2"]),
    row("O'Brien, Fintan|fintan@example.com|||'1-1|", 15, ["=200+45", 12, "", true, "", "=H4*1.2"]),
    row("李小龙|li@example.com||follow up 🌱||", 21, ["n/a", "", "", false, "Tom", "=H5*1.2"]),
    [],
    row("Zoë \"Zee\" Meyer|zoe@example.com|zee@example.com||11-50|'+49 40 123456", 34, [15000, 7, "", true]),
    [..."\tTab Hunter|||||||||||".split("|"), "=1/0"],
    row("Grace Hopper-Nakamura|grace@example.com|||200+|'555-0100", 60, [0.07, "", "", "", "Tom", "=H9*1.2"])
  ]
}

const stock: ReadonlyArray<Row> = [
  ["SKU", "Product", "In stock", "Price"],
  ["BS-01", "Bypass secateurs", 48, 34.5],
  ["TR-02", "Garden trowel", 130, 12],
  ["RB-03", "Raised bed kit", 7, 89],
  ["", "", "=SUM(C2:C4)", "=AVERAGE(D2:D4)"]
]

const tab = (title: string, properties: object = {}) => ({ properties: { title, ...properties } })

const body = {
  properties: { title: "Leads", locale: "en_US", timeZone: "Europe/London" },
  sheets: [
    tab("Leads", { gridProperties: { rowCount: 200, columnCount: 16, frozenRowCount: 1 } }),
    tab("Jon's Data", { gridProperties: { rowCount: 100, columnCount: 8 } }),
    tab("Empty", { gridProperties: { rowCount: 50, columnCount: 5 } }),
    tab("Archive 2023", { hidden: true, gridProperties: { rowCount: 20, columnCount: 4 } })
  ]
}

export const leadsSpreadsheet = (spreadsheetId: string, today: Day): Spreadsheet =>
  typedSpreadsheet(spreadsheetId, today, body, {
    "Leads!A1": leads(today),
    "'Jon''s Data'!A1": stock,
    "'Archive 2023'!A1": [["Name", "Won"], ["Wren & Sons", true]]
  })
