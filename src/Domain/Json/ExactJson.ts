/** Parsed JSON that `stringifyExact` writes with every digit of its numbers. */
export const parseExact = (text: string): unknown =>
  JSON.parse(
    text,
    (_: string, value: unknown, context?: { readonly source?: string }) =>
      typeof value === "number" && context?.source !== undefined && String(value) !== context.source
        ? JSON.rawJSON(context.source)
        : value
  )

export const stringifyExact = (value: unknown): string => JSON.stringify(value)
