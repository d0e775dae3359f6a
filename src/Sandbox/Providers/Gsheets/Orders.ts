import { type Day, isoOf } from "../../Data/Day.ts"
import type { Customer } from "../../Data/Portfolio.ts"
import { hashText, mixHash } from "../../Data/SeededRandom.ts"
import type { Spreadsheet } from "./Engine/Spreadsheet.ts"
import { type Row, typedSpreadsheet } from "./TypedSpreadsheet.ts"

const days = 30

const channels = ["Search", "Newsletter", "Shop", "Telephone"]

/** One order a day, the last at the end. The order of a day is always the same. */
const ordersOf = ({ domain, price, products }: Customer, today: Day): ReadonlyArray<Row> =>
  Array.from({ length: days }, (_, index) => {
    const day = today - days + index
    const hash = mixHash(hashText(domain), day)
    return [
      isoOf(day),
      `${day}-${hash % 90 + 10}`,
      products[hash % products.length] ?? "",
      1 + mixHash(hash, 1) % 4,
      Math.round(price * (50 + mixHash(hash, 2) % 100)) / 100,
      `=D${index + 2}*E${index + 2}`,
      channels[mixHash(hash, 3) % channels.length] ?? ""
    ]
  })

const tab = (title: string, columnCount: number, rowCount: number) => ({
  properties: { title, gridProperties: { rowCount, columnCount, frozenRowCount: 1 } }
})

const body = ({ name }: Customer) => ({
  properties: { title: `Orders of ${name}`, locale: "en_US", timeZone: "Europe/London" },
  sheets: [tab("Orders", 7, 200), tab("Totals", 3, 20)]
})

/** What a customer sold in the last month, day by day and by channel. */
export const ordersSpreadsheet = (customer: Customer, today: Day): Spreadsheet =>
  typedSpreadsheet(customer.files.spreadsheet, today, body(customer), {
    "Orders!A1": [
      ["Date", "Order", "Product", "Quantity", "Price", "Total", "Channel"],
      ...ordersOf(customer, today)
    ],
    "Totals!A1": [
      ["Channel", "Orders", "Sales"],
      ...channels.map((channel, index) => [
        channel,
        `=COUNTIF(Orders!G2:G,A${index + 2})`,
        `=SUMIF(Orders!G2:G,A${index + 2},Orders!F2:F)`
      ])
    ]
  })
