const longest = 400

/**
 * A description for `$defs`: links become their text, blanks become one, the protocol buffers' `field_name` becomes
 * the `fieldName` that JSON wants, and what is too long ends with a whole sentence.
 */
export const describe = (description: string, fieldNames: ReadonlySet<string>): string => {
  const text = description
    .replaceAll(/\[([^\]]+)\] ?\([^)]+\)/g, "$1")
    .replaceAll(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, (name) => fieldNames.has(camelCase(name)) ? camelCase(name) : name)
    .replaceAll(/\s+/g, " ")
    .trim()
  return text.length <= longest ? text : shortened(text)
}

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const shortened = (text: string): string => {
  const sentences = text.match(/.+?[.!?](?=\s|$)/g) ?? []
  let kept = ""
  for (const sentence of sentences) {
    if (kept.length + sentence.length > longest) break
    kept += sentence
  }
  return kept === "" ? `${text.slice(0, longest).replace(/\s+\S*$/, "")} …` : kept
}
