import { identity } from "effect"

/**
 * The fields of `object` as `rewrite` returns them, without those for which it returns `undefined`. The same object if
 * nothing changes.
 */
export const rewriteFields = (
  object: Readonly<Record<string, unknown>>,
  rewrite: (field: unknown, name: string) => unknown,
  rename: (name: string) => string = identity
): Readonly<Record<string, unknown>> => {
  const names = Object.keys(object)
  let kept: Array<readonly [string, unknown]> | undefined
  let count = 0
  for (const name of names) {
    const field = object[name]
    const renamed = rename(name)
    const rewritten = rewrite(field, renamed)
    if (renamed !== name || rewritten !== field) kept ??= names.slice(0, count).map((each) => [each, object[each]])
    if (rewritten !== undefined) kept?.push([renamed, rewritten])
    count++
  }
  return kept === undefined ? object : Object.fromEntries(kept)
}

/** Rewrites items as `rewriteFields` does fields. */
export const rewriteItems = (
  items: ReadonlyArray<unknown>,
  rewrite: (item: unknown) => unknown
): ReadonlyArray<unknown> => {
  let kept: Array<unknown> | undefined
  let count = 0
  for (const item of items) {
    const rewritten = rewrite(item)
    if (rewritten !== item) kept ??= items.slice(0, count)
    if (rewritten !== undefined) kept?.push(rewritten)
    count++
  }
  return kept ?? items
}
