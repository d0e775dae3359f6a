export const valueInputOption = (parse: boolean) => parse ? "USER_ENTERED" as const : "RAW" as const

/** Returns formulas as formulas and dates as numbers, to compare stored values with sent ones. */
export const returnStoredValues = { includeValuesInResponse: true, responseValueRenderOption: "FORMULA" } as const
