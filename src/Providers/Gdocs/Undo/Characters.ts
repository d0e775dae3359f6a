const characters = new Intl.Segmenter()

/** Whether an index is between two of what looks like one character. No text can be inserted elsewhere. */
export const boundariesOf = (text: string) => {
  const segments = characters.segment(text)
  return (index: number): boolean => index === text.length || segments.containing(index)?.index === index
}

/** In its line, because a document may be long. */
export const isBoundary = (text: string, index: number): boolean => {
  const start = index === 0 ? 0 : text.lastIndexOf("\n", index - 1) + 1
  const end = text.indexOf("\n", index)
  return boundariesOf(text.slice(start, end === -1 ? text.length : end))(index - start)
}
