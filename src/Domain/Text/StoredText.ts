/** The text as Postgres can hold it: without NUL, and without half a surrogate pair, which JSON could not have. */
export const storedText = (text: string): string => text.replaceAll("\0", "\uFFFD").toWellFormed()
