const longest = 400

/** Markdown links become their text, blanks become one, and what is too long ends with a whole sentence. */
export const describe = (description: string): string => {
  const text = description
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim()
  if (text.length <= longest) return text
  const sentences = text.match(/.+?[.!?](?=\s|$)/g) ?? []
  let kept = ""
  for (const sentence of sentences) {
    if (kept.length + sentence.length > longest) break
    kept += sentence
  }
  return kept === "" ? `${text.slice(0, longest - 1).replace(/\s+\S*$/, "")}…` : kept.trim()
}
