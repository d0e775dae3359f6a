export const valueInputOption = (parse: boolean) => parse ? "USER_ENTERED" as const : "RAW" as const

export const returnStoredValues = { includeValuesInResponse: true, responseValueRenderOption: "FORMULA" } as const
