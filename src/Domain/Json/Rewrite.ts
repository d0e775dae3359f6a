/**
 * The fields of `object` as `rewrite` returns them, without those for which it returns `undefined`. The same object if
 * nothing changes.
 */
export const rewriteFields = (
  object: object,
  rewrite: (field: unknown, name: string) => unknown,
  rename = (name: string): string => name
): object => {
  const fields = Object.entries(object)
  const rewritten = fields.map(([name, field]) => {
    const renamed = rename(name)
    return [renamed, rewrite(field, renamed)] as const
  })
  return rewritten.every(([name, field], index) => name === fields[index]?.[0] && field === fields[index][1])
    ? object
    : Object.fromEntries(rewritten.filter(([, field]) => field !== undefined))
}

/** As `rewriteFields`. */
export const rewriteItems = (
  items: ReadonlyArray<unknown>,
  rewrite: (item: unknown) => unknown
): ReadonlyArray<unknown> => {
  const rewritten = items.map(rewrite)
  return rewritten.every((item, index) => item === items[index])
    ? items
    : rewritten.filter((item) => item !== undefined)
}
