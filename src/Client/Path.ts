/** Throws a `TypeError` for a segment that would lead to another path. */
export const pathOf = (segments: ReadonlyArray<string>, query: object = {}): string => {
  const path = segments.map((segment) => {
    if (/^\.{0,2}$/.test(segment)) throw new TypeError(`"${segment}" is not an id`)
    return `/${encodeURIComponent(segment)}`
  }).join("")
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters.size === 0 ? path : `${path}?${parameters}`
}
