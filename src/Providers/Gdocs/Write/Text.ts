/** Control characters and those of the private use area: the provider takes them out of what is inserted. */
// oxlint-disable-next-line no-control-regex
const stripped = /[\u0000-\u0008\u000C-\u001F\uE000-\uF8FF]/g

/**
 * Text as the provider will hold it, so that what is counted is what will be there: one kind of newline, no characters
 * that it takes out, no halves of surrogate pairs.
 */
export const normalizeText = (text: string): string => text.replace(/\r\n?/g, "\n").replace(stripped, "").toWellFormed()

const firstLetter = /\p{L}/u
const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

/** The provider does not look at the text: each paragraph is told its direction, that of its first letter. */
export const directionOf = (text: string): "LEFT_TO_RIGHT" | "RIGHT_TO_LEFT" =>
  rightToLeft.test(firstLetter.exec(text)?.[0] ?? "") ? "RIGHT_TO_LEFT" : "LEFT_TO_RIGHT"
