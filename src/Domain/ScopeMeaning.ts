/** Google grants `email` and `profile` under their longer names. */
const identityScope = /^https:\/\/www\.googleapis\.com\/auth\/userinfo\.(email|profile)$/

/** Equal for scopes that mean the same. */
export const meaningOf = (scope: string): string => identityScope.exec(scope)?.[1] ?? scope

/** The scopes of `asked` whose meaning was not granted. */
export const scopesNotGranted = (
  asked: ReadonlyArray<string>,
  granted: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const meanings = new Set(granted.map(meaningOf))
  return asked.filter((scope) => !meanings.has(meaningOf(scope)))
}
