import { flag } from "../Tooling/Fields.ts"

export const parseField = flag({
  description:
    "Reads texts as if typed in: numbers, dates, percentages, `007` becomes 7. By default everything is stored " +
    "as it is given.",
  default: false
})

export const allowFormulasField = flag({
  description: "With `parse`: lets texts that start with =, +, - or @ (negative numbers aside) become formulas.",
  default: false
})

export const valueInputOption = (parse: boolean) => parse ? "USER_ENTERED" as const : "RAW" as const

/** Formulas come back as formulas and dates as numbers, so that what was stored can be compared with what was sent. */
export const echo = { includeValuesInResponse: true, responseValueRenderOption: "FORMULA" } as const
