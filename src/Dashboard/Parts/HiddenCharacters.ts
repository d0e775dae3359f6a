/** Characters that are not seen, or that turn the direction of others, but for line breaks and the joiners of scripts. */
const hidden = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu

/** Shows hidden characters as JSON escapes, so that no text looks like another one. */
export const withEscapes = (text: string): string =>
  text.replace(
    hidden,
    (character) => character.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")
  )
