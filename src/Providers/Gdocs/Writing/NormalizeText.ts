// oxlint-disable-next-line no-control-regex
const removed = /[\u0000-\u0008\u000C-\u001F\uE000-\uF8FF]/g

/**
 * The text as the provider stores it, so that indexes computed from it are right: `\n` newlines, no control or private
 * use characters, no unpaired surrogates.
 */
export const normalizeText = (text: string): string => text.replace(/\r\n?/g, "\n").replace(removed, "").toWellFormed()
