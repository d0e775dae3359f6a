import type { Customer } from "../../Data/Portfolio.ts"
import type { Document } from "./Engine/Document.ts"
import { bullet, type Line, step, task, writtenDocument } from "./Lines.ts"

const linesOf = ({ contact, domain, goal, name, price, products }: Customer): ReadonlyArray<Line> => {
  const [first = "", second = ""] = products
  const site = `https://www.${domain}/`
  return [
    { text: `Plan for ${name}`, style: "TITLE" },
    { text: `Agreed with ${contact}`, style: "SUBTITLE" },
    { text: "Goals", style: "HEADING_1" },
    { text: `${goal}. The new pages are on the site.`, bold: [goal], links: { site } },
    bullet("Pages"),
    ...products.slice(0, 4).map((product) => bullet(`\tOne page for “best ${product}”`)),
    { text: "Budget", style: "HEADING_1" },
    {
      text: "In pounds a month:",
      table: [
        ["What", "Budget"],
        ["Photographs", `${price * 4}`],
        [`Advertisements for “${first}”`, `${price * 10}`]
      ]
    },
    { text: "Steps", style: "HEADING_1" },
    step(`Write about ${first}`),
    step(`Write about ${second}`),
    { text: "Open questions", style: "HEADING_2" },
    task(`When does ${contact} see the first draft?`)
  ]
}

export const customerPlan = (customer: Customer): Document =>
  writtenDocument(customer.files.document, `Plan for ${customer.name}`, linesOf(customer))
